// Elements without ceremony.

type Child = Node | string | undefined | false;

/** Makes an element: attributes by name, `class`, event listeners as functions, then its children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** An element of the page, which has it. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Longer words may not fit into a line of a phone. */
const LONG_WORD = /\S{20,}/;
/** The places at which code may be broken: before a field or an operator of a path, after a bracket, a comma, a slash. */
const JOINTS = /(?<=[\w)\]"'])(?=\.[A-Za-z_?])|(?<=[([{,/:&|+=])(?=[^\s/=&|])/;

/** Code that breaks at its joints, where it has to, rather than inside a word. */
export function breakable(text: string): (Node | string)[] {
  if (!LONG_WORD.test(text)) return [text];
  return text.split(JOINTS).flatMap((piece, i) => (i === 0 ? [piece] : [document.createElement("wbr"), piece]));
}

/** Texts in code quotes become code, the rest stays text: what little of Markdown our sentences use. */
export function withCode(text: string): (Node | string)[] {
  return text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part));
}
