# SPDX-License-Identifier: MIT
# Untested: its syntax is checked, it was not built by Nix.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "carbon";
  version = "@VERSION@";
  src = ../..;
  nativeBuildInputs = with pkgs; [ autoreconfHook pkg-config python3 ];
  buildInputs = with pkgs; [
    cjson libcsv libmd inih gsl libyaml curl sqlite zlib libmicrohttpd gnutls libxcrypt libpfm elfutils expat libpq
  ];
  meta = {
    description = "Energy and carbon accounting of jobs and machines";
    license = with pkgs.lib.licenses; [ gpl3Plus mit cc-by-40 odbl ];
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "carbon";
  };
}
