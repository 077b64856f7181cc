// The figures of --stats, in groups, with words. A key that no group names is shown all the same.
const statisticGroups = [
  [
    "Asked for", {
      model: "model",
      depth: "bound",
      cover: "criteria",
      search: "order of the search",
      seed: "seed",
      schedules: "schedules",
      cut: "oracle",
      memo: "stable states remembered",
      interpolants: "learning from dead ends",
      confirm: "subtrees explored aside",
      target_info: "oracle knows what is covered",
      bound_info: "oracle knows the bound"
    }
  ],
  [
    "Result", {
      complete: "search ended by itself",
      ended_by: "ended by",
      states_given_up: "states not explored",
      targets: "targets",
      covered: "covered",
      unreached: "unreached",
      infeasible: "infeasible",
      waived: "waived",
      coverage_percent: "coverage of what was asked for",
      model_errors: "errors of the model",
      tests: "tests",
      tests_left_out: "tests left out"
    }
  ],
  [
    "Search", {
      vm_steps: "VM steps",
      paths: "paths that ended",
      states_forked: "states made at forks",
      memo_hits: "states like one explored before",
      subsumed: "states skipped by an interpolant",
      subsumed_percent: "of those compared",
      interpolants_full: "subtrees with an interpolant",
      interpolants_half: "without one",
      confirmations: "subtrees explored aside to learn",
      confirmations_failed: "of these, in vain",
      interpolation_seconds: "time of learning",
      interpolant_bytes: "memory of interpolants",
      effort_spent: "effort, in VM steps",
      stable_states: "stable states explored",
      states_unpacked: "states had again by their signatures",
      peak_waiting: "most states waiting",
      ended_by_bound: "paths that the bound ended",
      ended_by_steps: "paths without a stable state",
      infeasible_states: "ways that the solver refuted",
      assume_failed: "paths that an assumption ended"
    }
  ],
  [
    "Oracle and analysis", {
      sp_queries: "questions to the oracle",
      cuts: "states cut",
      cut_percent: "cut",
      pda_procedures: "procedures of the automaton",
      pda_nodes: "nodes of the automaton",
      flow_seconds: "time of the analysis",
      oracle_seconds: "time of the oracle",
      tracking_seconds: "of it, to find places"
    }
  ],
  [
    "Solver", {
      sat_queries: "questions",
      folded: "conditions constant at once",
      answered_by_model: "answered by the known solution",
      answered_by_intervals: "by bounds",
      answered_by_equalities: "by equalities",
      answered_by_cache: "asked before",
      answered_by_cached_model: "by an earlier solution",
      answered_by_core: "by an earlier contradiction",
      answered_by_enumeration: "by trying all",
      conditions_left_out: "conditions left out",
      z3_queries: "that reached Z3",
      asked_again: "asked again",
      sat_unknown: "without an answer",
      sat_seconds: "time"
    }
  ],
  ["Resources", {total_seconds: "time in all", peak_memory_bytes: "most memory"}],
];

function statisticText(key, value) {
  if (key === "seed") return document.getElementById("seed").textContent;  // may be larger than a double counts
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value).replaceAll(",", ", ");
  if (key.endsWith("_seconds")) return value.toFixed(3) + " s";
  if (key.endsWith("_percent")) return value.toFixed(1) + " %";
  if (key.endsWith("_bytes")) return (value / 1e6).toFixed(1) + " MB";
  return grouped(value);
}

function drawStatistics() {
  const rest = new Set(Object.keys(statistics));
  for (const key of ["targets_detail", "errors_detail", "unsupported"]) rest.delete(key);
  const table = (title, keys) => {
    const rows = Object.entries(keys)
                     .filter(([key]) => rest.delete(key))
                     .map(
                         ([key, label]) =>
                             el("tr", {}, el("th", {scope: "row"}, label, " ", el("code", {class: "dim"}, key)),
                                el("td", {
                                  class: typeof statistics[key] === "number" ? "number" : null,
                                  "data-key": key,
                                  "data-value": statistics[key]
                                },
                                   statisticText(key, statistics[key]))));
    return rows.length > 0 && el("table", {class: "figures"}, el("caption", {}, title), el("tbody", {}, rows));
  };
  const tables = statisticGroups.map(([title, keys]) => table(title, keys));
  const others = table("Other", Object.fromEntries([...rest].map((key) => [key, ""])));
  const unsupported = Object.entries(statistics.unsupported);
  body("statistics").append(el("div", {class: "columns"}, tables, others));
  if (unsupported.length > 0)
    body("statistics")
        .append(
            el("h3", {}, "Not followed"),
            el("ul", {}, unsupported.map(([why, times]) => el("li", {}, sentence(why), ", " + plural(times, "time")))));
}
