// Light, dark, or as the system has it: the choice of the user, kept where the browser allows it.

const KEY = "celadon-scheme";

export function schemeNow(): string {
  try {
    return localStorage.getItem(KEY) ?? "light dark";
  } catch {
    return "light dark";
  }
}

export function setScheme(scheme: string): void {
  document.documentElement.style.setProperty("color-scheme", scheme);
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // Without storage the choice is for this visit.
  }
}
