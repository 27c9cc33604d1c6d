// The pages without this script are complete; it adds the search, the list of versions, and the menu on phones.

const { up, version } = document.body.dataset;
const input = document.querySelector("#search");
const list = document.querySelector("#found");
const MOST = 12;

let sections;
const load = async () => {
  sections ??= fetch(`${up}search.json`).then((response) => response.json());
  return sections;
};

/** Every word must be there; titles count more than texts, and whole words more than beginnings. */
function score({ page, title, text }, words) {
  let total = 0;
  for (const word of words) {
    const inTitle = title.toLowerCase().includes(word);
    const inPage = page.toLowerCase().includes(word);
    const at = text.toLowerCase().indexOf(word);
    if (!inTitle && !inPage && at === -1) return 0;
    total += (inTitle ? 20 : 0) + (inPage ? 8 : 0) + (at === -1 ? 0 : 2 + 3 / (1 + at / 200));
  }
  return total + 1 / (1 + title.length);
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    show([]);
    return;
  }
  const all = await load();
  const found = all.map((section) => ({ section, points: score(section, words) })).filter(({ points }) => points > 0);
  found.sort((a, b) => b.points - a.points);
  show(found.slice(0, MOST), true);
}

function show(found, searched = false) {
  list.replaceChildren(
    ...found.map(({ section: { page, title, text, href } }) => {
      const item = document.createElement("li");
      item.role = "option";
      const link = document.createElement("a");
      link.href = up + href;
      link.textContent = title === page ? title : `${page}: ${title}`;
      const about = document.createElement("small");
      about.textContent = text.slice(0, 140);
      link.append(about);
      item.append(link);
      return item;
    }),
  );
  if (searched && found.length === 0) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "nothing found";
    list.append(none);
  }
  list.hidden = list.children.length === 0;
  input.setAttribute("aria-expanded", String(!list.hidden));
}

function move(step) {
  const items = [...list.querySelectorAll("[role=option]")];
  if (items.length === 0) return;
  const at = items.findIndex((item) => item.ariaSelected === "true");
  const next = items[(at + step + items.length) % items.length] ?? items[0];
  for (const item of items) item.ariaSelected = String(item === next);
  next.scrollIntoView({ block: "nearest" });
}

input.addEventListener("focus", load);
input.addEventListener("input", search);
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Escape") show([]);
  else if (event.key === "Enter") (list.querySelector("[aria-selected=true] a") ?? list.querySelector("a"))?.click();
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest(".search")) show([]);
});

const select = document.querySelector("#version");
fetch(`${up}../versions.json`)
  .then((response) => response.json())
  .then((versions) => {
    select.replaceChildren(...versions.map((name) => new Option(name, name, name === version, name === version)));
    select.addEventListener("change", () => location.assign(`${up}../${select.value}/index.html`));
  })
  .catch(() => {}); // a copy of one version alone

const menu = document.querySelector("#menu");
const button = document.querySelector("#menu-button");
button.addEventListener("click", () => button.setAttribute("aria-expanded", String(menu.classList.toggle("open"))));
