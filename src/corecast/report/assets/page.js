"use strict";
// Hover details of rows, and rows and boxes that light up together. Text is only ever set as text.
(() => {
  const names = {
    form: "form", matched: "counted as", status: "status", uops: "micro-ops", latency: "latency",
    origin: "source", confidence: "confidence", note: "note", nearest: "nearest known",
  };
  const details = document.getElementById("details");

  function show(row, x, y) {
    const list = document.createElement("dl");
    for (const [key, label] of Object.entries(names)) {
      if (!row.dataset[key]) continue;
      list.append(Object.assign(document.createElement("dt"), { textContent: label }));
      list.append(Object.assign(document.createElement("dd"), { textContent: row.dataset[key] }));
    }
    details.replaceChildren(list);
    details.hidden = false;
    const box = details.getBoundingClientRect();
    const left = Math.min(x + 16, innerWidth - box.width - 8);
    const top = y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18;
    details.style.left = Math.max(4, left) + "px";
    details.style.top = Math.max(4, top) + "px";
  }

  for (const section of document.querySelectorAll("section")) {
    const prefix = section.dataset.prefix;
    const svg = section.querySelector(".graph svg");
    const arrows = new Map();
    for (const path of svg.querySelectorAll("path[data-p]")) {
      for (const end of new Set([path.dataset.p, path.dataset.c])) {
        if (!arrows.has(end)) arrows.set(end, []);
        arrows.get(end).push(path);
      }
    }
    const light = (index, on) => {
      document.getElementById(prefix + "i" + index)?.classList.toggle("lit", on);
      document.getElementById(prefix + "n" + index)?.classList.toggle("lit", on);
      for (const path of arrows.get(index) || []) path.classList.toggle("lit", on);
      svg.classList.toggle("dim", on);
    };
    for (const row of section.querySelectorAll("tr[data-i]")) {
      row.addEventListener("mouseenter", () => light(row.dataset.i, true));
      row.addEventListener("mousemove", (event) => show(row, event.clientX, event.clientY));
      row.addEventListener("mouseleave", () => { light(row.dataset.i, false); details.hidden = true; });
      row.addEventListener("focusin", () => {
        const box = row.getBoundingClientRect();
        light(row.dataset.i, true);
        show(row, box.left + 40, box.bottom - 10);
      });
      row.addEventListener("focusout", () => { light(row.dataset.i, false); details.hidden = true; });
    }
    for (const node of svg.querySelectorAll(".node")) {
      node.addEventListener("mouseenter", () => light(node.dataset.i, true));
      node.addEventListener("mouseleave", () => light(node.dataset.i, false));
    }
  }
})();
