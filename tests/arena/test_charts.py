"""Charts of a training; those of leagues and crosses are tested with these."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from byzanz.arena.charts import reliability_chart, strength_chart
from byzanz.arena.charts.svg import document, label, line, number, rect, text

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_the_strength_chart_has_a_plot_for_each_number_of_players() -> None:
    evaluation = {name: {"3": 0.5, "6": 0.25} for name in ("random", "trader", "stranger")}
    curve = [
        {"seconds": 0, "evaluation": evaluation},
        {"seconds": 30},
        {"seconds": 90, "evaluation": evaluation},
    ]
    svg = strength_chart(curve)
    assert {"3 players", "6 players", "random", "trader", "stranger", "1.5"} <= set(texts(svg))
    assert {"training time, minutes", "share of the wins, %"} <= set(texts(svg))
    # For each plot a frame, the fair share and three opponents.
    assert len(list(ET.fromstring(svg).iter(f"{SVG}polyline"))) == 2 * (1 + 1 + 3)


def test_the_strength_chart_has_error_bars_if_the_number_of_games_is_known() -> None:
    curve = [{"seconds": 60, "evaluation": {"random": {"3": 1.0}, "trader": {"3": 0.25}}}]
    svg = strength_chart(curve, 100)
    assert "bars: 2 standard errors; dashed: a fair share" in texts(svg)
    *_, trader = ET.fromstring(svg).iter(f"{SVG}polyline")
    (x, top), (same, bottom) = [
        tuple(map(float, point.split(","))) for point in trader.get("points", "").split()
    ]
    assert x == same
    *_, more = ET.fromstring(strength_chart(curve, 400)).iter(f"{SVG}polyline")
    ends = [float(point.split(",")[1]) for point in more.get("points", "").split()]
    assert 0 < abs(ends[0] - ends[1]) < abs(top - bottom)  # more games, shorter bars


def test_the_strength_chart_of_a_training_without_evaluations_is_empty() -> None:
    assert texts(strength_chart([{"seconds": 3}])) == []


def test_the_reliability_chart_has_a_dot_for_each_bin() -> None:
    svg = reliability_chart({4: [(0.1, 0.2, 50), (0.6, 0.5, 200)], 3: [(0.3, 0.3, 10)]})
    assert texts(svg)[0] == "3 players"
    assert {"predicted win probability, %", "observed share of wins, %"} <= set(texts(svg))
    radii = [float(dot.get("r", 0)) for dot in ET.fromstring(svg).iter(f"{SVG}circle")]
    assert radii == [6, 4, 6]


def test_the_reliability_chart_has_error_bars_and_notes() -> None:
    svg = reliability_chart({4: [(0.1, 0.02, 50)]}, {4: [0.1]}, {4: "ECE 8.00 points"})
    assert "ECE 8.00 points" in texts(svg)
    lines = [each.get("points", "") for each in ET.fromstring(svg).iter(f"{SVG}polyline")]
    assert "30,200 30,176" in lines  # not below the frame


def test_elements_are_escaped_and_rounded() -> None:
    assert number(2.0) == "2"
    assert number(1 / 3) == "0.3"
    parts = [
        text(1, 2.25, label("<a & b>" * 9, 6), size=9, bold=True),
        rect(0, 0, 1, 1, "red", tooltip="<&>"),
        line([(0, 0), (1, 0.5)], "red", dashed=True),
    ]
    ET.fromstring(document(10, 10, "<title>", parts))
    assert parts[0].endswith(">&lt;a &amp; …</text>")
    assert '<polyline points="0,0 1,0.5"' in parts[2]
