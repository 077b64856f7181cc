"""Uses a report without a mouse, without eyes, on a narrow screen and on paper; writes what it found as `name=value`, a line
each. The page on paper goes to PAGE.pdf.

usage: report_access.py FOLDER-FOR-THE-BROWSER PAGE [PART…], all parts if none is named
"""
import os
import subprocess
import sys

from browser import Browser

folder, page = sys.argv[1], os.path.abspath(sys.argv[2])
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "report_access.js"), encoding="utf-8") as file:
    helpers = file.read()
browser = Browser(folder)
run, press = browser.run, browser.press


def say(name, value):
    text = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    print(f"{name}={text}")


def fresh():
    browser.call("Page.navigate", url="about:blank")
    browser.open("file://" + page)
    run(helpers + "; 0")


def focus():
    return run("access.focus()")


def focus_on(selector):
    run(f"document.querySelector({selector!r}).focus()")


def exists(selector):
    return run(f"document.querySelector({selector!r}) !== null")


def open_everything():
    run("""(() => {
      for (const mark of [...document.querySelectorAll(".gutter")].slice(0, 200)) mark.click();
      for (const box of document.querySelectorAll("details")) box.open = true;
    })()""")
    browser.settle()


def colours():
    for scheme in ("light", "dark"):
        browser.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        fresh()
        open_everything()
        say(f"faint-{scheme}", run("access.faint()"))
    say("motion", run("""[...document.querySelectorAll("*")].filter((e) => {
      const style = getComputedStyle(e);
      return style.transitionDuration !== "0s" || style.animationName !== "none" || style.scrollBehavior !== "auto";
    }).length"""))


def tabbing():
    """From the top of the page to its end with the Tab key."""
    fresh()
    stops = []
    while len(stops) < 500:
        press("Tab")
        stop = focus()
        if stop["name"].startswith("body"):
            break
        stops.append(stop)
    places = [stop["place"] for stop in stops]
    say("stops", len(stops))
    say("places", " ".join(p for i, p in enumerate(places) if i == 0 or places[i - 1] != p).strip())
    say("unseen-stops", ", ".join(stop["name"] for stop in stops if not stop["seen"]))


def using():
    """Everything that a mouse can do."""
    fresh()
    press("Tab")
    press("Enter")
    say("skip-leads-to", run("location.hash"))
    said = "document.querySelector('.chart').getAttribute('aria-valuetext')"
    if run("JSON.parse(document.getElementById('data').textContent).timeline.length") > 0:
        before = run(said)
        focus_on(".chart")
        press("ArrowRight")
        say("chart-moves", before != run(said))
    if exists(".gutter"):
        focus_on(".gutter")
        press("Enter")
        say("mark-opens", exists(".line-panel"))
        press("Tab")
        say("panel-is-next", run("document.activeElement.closest('.line-panel') !== null"))
        press("Escape")
        say("escape-closes", not exists(".line-panel") and focus()["name"].startswith("button gutter"))
        marks = run("document.querySelectorAll('.gutter').length")
        press("End")
        say("last-mark", run("[...document.querySelectorAll('.gutter')].indexOf(document.activeElement)") == marks - 1)
    if run("document.querySelectorAll('.test-list li').length") > 2:
        title = "document.getElementById('current-test').textContent"
        name = "document.querySelectorAll('.test-list .code')[%d].textContent"
        focus_on(".test-list a")
        press("ArrowDown")
        press("Enter")
        browser.settle()
        say("arrow-and-enter", run(title) == run(name % 1) and focus()["name"].startswith("h3#current-test"))
        focus_on('.test-head [data-by="1"]')
        press(" ")
        browser.settle()
        say("next-test", run(title) == run(name % 2) and focus()["text"] == "Next test")
        say("next-test-is-said", run(name % 2) in run("document.querySelector('output.unseen').textContent"))
    for section in ("left", "requirements", "tests", "targets"):
        if exists(f"#{section} input"):
            whole = run(f"document.querySelector('#{section} output').textContent")
            focus_on(f"#{section} input")
            browser.call("Input.insertText", text="no such thing")
            none = run(f"document.querySelector('#{section} output').textContent")
            press("Escape")
            again = run(f"document.querySelector('#{section} output').textContent")
            say(f"filter-{section}", none.startswith("none of") and whole == again)
    # What was pressed may go; the keyboard may not.
    for what, selector in (("more", ".test-links button"), ("pager", ".pager:not([hidden]) button:enabled")):
        if exists(selector):
            focus_on(selector)
            place = focus()["place"]
            press("Enter")
            browser.settle()
            say(f"after-{what}", focus()["place"] == place)


def tree():
    """As a screen reader reads it."""
    fresh()
    run("for (const box of document.querySelectorAll('details')) box.open = true")
    browser.settle()
    nodes = browser.tree()
    say("nameless", ", ".join(n.role for n in nodes if not n.name and
                              (n.role in ("image", "slider", "table") or
                               n.properties.get("focusable") and n.role not in ("option", "RootWebArea"))))
    levels = [n.properties["level"] for n in nodes if n.role == "heading"]
    say("skipped-levels", sum(after > before + 1 for before, after in zip(levels, levels[1:])))
    marks = [(n.role, n.name) for n in nodes if n.role in ("region", "search", "navigation", "main", "banner", "contentinfo")]
    say("same-landmarks", ", ".join(f"{role} {name}" for role, name in sorted(set(marks)) if marks.count((role, name)) > 1))
    say("marks-in-tree", sum(" of line " in n.name for n in nodes if n.role == "button"))
    say("marks-in-page", run("document.querySelectorAll('.gutter').length"))
    says = [n for n in nodes if n.properties.get("live") == "polite"]
    say("filters-that-say-nothing", sum(n.role == "search" for n in nodes) + 1 - len(says))
    tables = [i for i, n in enumerate(nodes) if n.role == "table"]
    headless = 0
    for i in tables:
        inside = [n for n in nodes[i + 1:next((k for k in range(i + 1, len(nodes)) if nodes[k].depth <= nodes[i].depth),
                                              len(nodes))]]
        headless += not any(n.role == "rowheader" for n in inside)
    say("tables-without-row-headers", headless)
    known = set(run("[...document.querySelectorAll('.test-list .code')].map((e) => e.textContent)"))
    heads = [n.name for n in nodes if n.role == "columnheader"]
    of_tests = run("document.querySelectorAll('.matrix th.cell').length")
    say("columns-called-as-their-tests", sum(name in known for name in heads) == of_tests)
    said_twice = [n.name for n in nodes if n.name and n.name == n.description and n.role == "link" and n.name not in known]
    say("said-twice", len(said_twice))


def narrow():
    """A telephone, a window at 200 %, and one that is made narrower."""
    for width, scale in ((400, 1), (640, 2)):
        browser.size(width, 700, scale)
        fresh()
        open_everything()
        say(f"cut-off-at-{width}", run("access.cutOff()"))
    browser.size(1280, 900)
    fresh()
    browser.size(700, 900)
    browser.settle()
    # Letters as large as elsewhere, not a picture made smaller.
    say("chart-scale", run("document.querySelector('figure').clientWidth / "
                           "document.querySelector('.chart').viewBox.baseVal.width"))
    say("problems", run("document.getElementById('problems').textContent"))
    browser.size(1280, 900)


def paper():
    """Printed from a page that is dark: what stands there, whatever the line breaks."""
    fresh()
    run("document.documentElement.dataset.theme = 'dark'")
    columns = "document.querySelectorAll('.matrix th.cell').length"
    before = run(columns)
    browser.paper(page + ".pdf")
    say("matrix-is-back", run(columns) == before)
    browser.size(700, 900)
    browser.media("print", prefers_color_scheme="dark")
    run("dispatchEvent(new Event('beforeprint'))")
    say("paper-is", run("getComputedStyle(document.body).backgroundColor"))
    say("ink-is-faint", run("access.faint()"))
    say("cut-off-on-paper", run("access.cutOff()"))
    browser.media()
    text = subprocess.run(["pdftotext", "-raw", page + ".pdf", "-"], check=True, capture_output=True).stdout.decode()
    pages = text.split("\f")[:-1]
    together = lambda some: "".join(some.split())
    whole = together(text)
    lost = lambda selector: [t for t in run(f"[...document.querySelectorAll({selector!r})].map((e) => e.textContent)")
                             if together(t) not in whole]
    say("pages", len(pages))
    say("blank-pages", sum(len(together(p)) < 60 for p in pages[:-1]))
    for name, selector in (("lines", ".line code"), ("tests", ".test-list .code"), ("targets", "#targets th.code"),
                           ("reasons", "#left .reason > p"), ("figures", "#statistics th")):
        say(f"lost-{name}", "".join(lost(selector)[:1]))


browser.size(1280, 900)
parts = {part.__name__: part for part in (colours, tabbing, using, tree, narrow, paper)}
for part in sys.argv[3:] or parts:
    parts[part]()
say("end", 1)
browser.close()
