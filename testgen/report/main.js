// Draws every part, then goes where the address says.
function chooseTheme() {
  const select = document.getElementById("theme");
  select.value = document.documentElement.dataset.theme ?? "auto";
  select.addEventListener("change", () => {
    if (select.value === "auto")
      delete document.documentElement.dataset.theme;
    else
      document.documentElement.dataset.theme = select.value;
    try {
      localStorage.setItem("espalier-theme", select.value);
    } catch {
      // Then the choice holds until the page is closed.
    }
  });
}

// The section that is being read is marked in the navigation.
function watchSections() {
  const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.getAttribute("href").slice(1), a]));
  const seen = new Set();
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? seen.add(entry.target.id) : seen.delete(entry.target.id);
    const first = [...links.keys()].find((id) => seen.has(id));
    for (const [id, link] of links)
      id === first ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
  }, {rootMargin: "-80px 0px -50% 0px"});
  for (const id of links.keys()) watcher.observe(document.getElementById(id));
}

chooseTheme();
drawChart();
drawErrors();
drawLeft();
drawRequirements();
drawSource();
drawTests();
drawTargets();
drawStatistics();
watchSections();
window.addEventListener("hashchange", follow);
follow();
document.documentElement.dataset.drawn = "true";
