# SPDX-License-Identifier: MIT
# What services of live grid data answer that tell generation by fuel, as they document it; grid.py serves it.
"""Of a thousand megawatts grams(time) are coal and the rest nuclear; a pump draws 50, a battery gives 70. So a kWh emits
0.76 g for each of these grams where burning alone counts, and 0.82 g and 0.012 g of the rest over the whole lifecycle."""
import datetime

UTC = datetime.timezone.utc
EST = datetime.timezone(datetime.timedelta(hours=-5))


def grams(when):
    when = when.astimezone(UTC)
    return 100 + when.day + (when.hour * 60 + when.minute) // 5


def steps(start, end, minutes):
    while start < end:
        yield start
        start += datetime.timedelta(minutes=minutes)


def is_hole(when, case):
    return case == "nulls" and when.astimezone(UTC).hour == 6


def ieso(path, case, now):
    """The document has two days around the 20th of January, or around now, in Eastern Standard Time."""
    middle = datetime.datetime(2026, 1, 20, tzinfo=EST) if path.endswith("_2026.xml") else None
    middle = middle or now.astimezone(EST).replace(hour=0, minute=0, second=0, microsecond=0)
    if middle.year == 2026 and now.year == 2026 and not path.endswith("_2026.xml"):
        middle = datetime.datetime(2026, 1, 20, tzinfo=EST)
    text = '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="http://www.ieso.ca/schema" docID="x"><DocHeader>' \
           "<DocTitle>Generator Output by Fuel Type Hourly Report</DocTitle></DocHeader><DocBody>" \
           f"<DeliveryYear>{middle.year}</DeliveryYear>"
    for day in -1, 0, 1:
        midnight = middle + datetime.timedelta(days=day)
        text += f"<DailyData><Day>{midnight:%Y-%m-%d}</Day>"
        for hour in range(24):
            when = midnight + datetime.timedelta(hours=hour)
            text += f"<HourlyData><Hour>{hour + 1 if case != 'hour' else hour}</Hour>"
            for fuel, mwh in ("COAL", grams(when)), ("NUCLEAR", 1000 - grams(when)):
                output = "" if fuel == "COAL" and is_hole(when, case) else f"<Output>{mwh}</Output>"
                text += f"<FuelTotal><Fuel>{fuel}</Fuel><EnergyValue><OutputQuality>0</OutputQuality>{output}" \
                        "</EnergyValue></FuelTotal>"
            text += "</HourlyData>"
        text += "</DailyData>"
    return text + "</DocBody></Document>"


def ons(case, now):
    def part(coal, **more):
        return {"geracao": {"total": 1000.0, "hidraulica": 0.0, "termica": float(coal), "eolica": 0.0,
                            "nuclear": 1000.0 - coal, "solar": -0.5, **more}, "cargaVerificada": 1100.0}

    found = {"Data": now.astimezone(datetime.timezone(datetime.timedelta(hours=-3))).strftime("%Y-%m-%dT%H:%M:00-03:00"),
             "sudesteECentroOeste": part(200, itaipu50HzBrasil=500.0, itaipu60Hz=500.0), "sul": part(100),
             "nordeste": part(300), "norte": part(400), "internacional": {}, "intercambio": {}}
    if case == "nulls":
        found["sul"]["geracao"]["termica"] = None
    if case == "late":
        found["Data"] = "2026-01-20T20:19:00-03:00"
    return found


def eia(query, case, instant):
    zone = query["facets[respondent][]"][0]
    rows = []
    for end in steps(instant(query["start"][0] + ":00Z"), instant(query["end"][0] + ":00Z") +
                     datetime.timedelta(hours=1), 60):
        when = end - datetime.timedelta(hours=1)
        for fuel, value in (("COL", str(grams(when))), ("NUC", 1000 - grams(when)), ("WAT", -50), ("BAT", 70),
                            ("XYZ" if case == "fuel" else "PS", -20)):
            rows.append({"period": end.strftime("%Y-%m-%dT%H"), "respondent": "XX" if case == "zone" else zone,
                         "fueltype": fuel, "value": None if fuel == "COL" and is_hole(when, case) else
                         "many" if case == "words" else value,
                         "value-units": "MW" if case == "units" else "megawatthours"})
    return {"response": {"total": str(len(rows) + (case == "total")), "frequency": "hourly", "data": rows},
            "apiVersion": "2.1.8"}


def openelectricity(path, query, case, instant):
    """Coal emits 0.9 t/MWh by its plants, gas 0.5; ten of a hundred are solar of roofs."""
    ahead = 8 if "/WEM" in path else 10
    offset = datetime.timezone(datetime.timedelta(hours=ahead))
    minutes = 60 if query["interval"][0] == "1h" else 5
    local = [datetime.datetime.fromisoformat(query[name][0]).replace(tzinfo=offset) for name in ("date_start", "date_end")]
    series = {"energy": {}, "emissions": {}}
    for when in steps(local[0], local[1], minutes):
        coal = grams(when)
        for tech, mwh, tonnes in (("coal_black", coal, 0.9 * coal), ("gas_ccgt", 100, 50), ("solar_rooftop", 10, 0),
                                  ("battery_charging", -30, 0), ("pumps", 20, 0)):
            told = None if tech == "coal_black" and is_hole(when, case) else mwh * minutes / 60
            time = when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if case != "local" else when.isoformat()
            time = time[:19] if case == "naive" else time
            series["energy"].setdefault(tech, []).append([time, told])
            if not (case == "clean" and tech == "gas_ccgt"):
                series["emissions"].setdefault(tech, []).append([time, tonnes * minutes / 60])
    region = "QLD1" if case == "zone" else query["network_region"][0]
    return {"version": "4.0", "success": True, "data": [
        {"network_code": path.split("/")[-1], "metric": metric, "interval": query["interval"][0],
         "unit": "kg" if case == "units" and metric == "emissions" else {"energy": "MWh", "emissions": "t"}[metric],
         "network_timezone_offset": f"+{ahead:02}:00",
         "results": [{"name": f"{metric}_{tech}", "columns": {"region": region, "fueltech": tech}, "data": points}
                     for tech, points in series[metric].items()]} for metric in ("energy", "emissions")]}


def entsoe(query, case):
    start, end = (datetime.datetime.strptime(query[name][0], "%Y%m%d%H%M").replace(tzinfo=UTC)
                  for name in ("periodStart", "periodEnd"))
    area = query["in_Domain"][0] if case != "zone" else "10YFR-RTE------C"
    if case == "ack":
        return '<?xml version="1.0"?><Acknowledgement_MarketDocument xmlns="urn:x"><Reason><code>999</code><text>No ' \
               "matching data found for Data item Actual Generation per Type</text></Reason>" \
               "</Acknowledgement_MarketDocument>"

    def series(kind, minutes, value, direction="in", curve="A01"):
        points, last = "", None
        for position, when in enumerate(steps(start, end, minutes)):
            quantity = value(when)
            if quantity is not None and not (curve == "A03" and quantity == last):
                points += f"<Point><position>{position + 1}</position><quantity>{quantity}</quantity></Point>"
            last = quantity
        return f"<TimeSeries><{direction}BiddingZone_Domain.mRID codingScheme=\"A01\">{area}</{direction}BiddingZone_" \
               f"Domain.mRID><quantity_Measure_Unit.name>{'KWH' if case == 'units' else 'MAW'}</quantity_Measure_Unit" \
               f".name><curveType>{curve}</curveType><MktPSRType><psrType>{kind}</psrType></MktPSRType><Period>" \
               f"<timeInterval><start>{start:%Y-%m-%dT%H:%MZ}</start><end>{end:%Y-%m-%dT%H:%MZ}</end></timeInterval>" \
               f"<resolution>{'P1D' if case == 'days' else f'PT{minutes}M'}</resolution>{points}</Period></TimeSeries>"

    def hour(when):
        return when.replace(minute=0)

    doctype = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' if case == "doctype" else ""
    text = f'<?xml version="1.0" encoding="UTF-8"?>{doctype}<GL_MarketDocument xmlns="urn:iec62325.351:tc57wg16"><type>A75</type>'
    if case == "held":
        text += series("B05", 15, lambda when: grams(hour(when)), curve="A03")
        text += series("B14", 60, lambda when: 1000 - grams(when))
    else:
        text += series("B05", 15, lambda when: None if is_hole(when, case) else grams(when))
        text += series("B14", 15, lambda when: 1000 - grams(when))
    text += series("B10", 60, lambda when: 70) + series("B10", 60, lambda when: 50, "out")
    return text + "</GL_MarketDocument>"


def carbon_aware(path, query, case, instant, now):
    # "still": at every time of every day alike, so that no other start is better than now
    value = (lambda when: 200) if case == "still" else grams
    if path.endswith("/forecasts/current"):
        hour = now.replace(minute=0, second=0, microsecond=0)
        return [{"location": query["location"][0], "generatedAt": hour.isoformat(), "forecastData": [
            {"location": "IE", "timestamp": when.isoformat(), "duration": 10, "value": value(when) + 0.25}
            for when in steps(hour, hour + datetime.timedelta(hours=24), 10)]}]
    return [{"location": query["location"][0], "rating": None if is_hole(when, case) else value(when),
             "time": when.strftime("%Y-%m-%dT%H:%M:11.5092741+00:00"), **({"duration": "00:15:00"} if case == "long" else {})}
            for when in list(steps(instant(query["time"][0]), instant(query["toTime"][0]), 5))[:1 if case == "one" else None]]


def document(path, query, case, instant):
    """JSON as an object, XML as text; None: it is none of these services'."""
    now = datetime.datetime.now(UTC)
    if "/GenOutputbyFuelHourly/" in path:
        return ieso(path, case, now)
    if path.startswith("/Content/"):
        return ons(case, now)
    if path.startswith("/v2/electricity/"):
        return eia(query, case, instant)
    if path.startswith("/v4/data/network/"):
        return openelectricity(path, query, case, instant)
    if path == "/api":
        return entsoe(query, case)
    if path.startswith("/emissions/"):
        return carbon_aware(path, query, case, instant, now)
    return None
