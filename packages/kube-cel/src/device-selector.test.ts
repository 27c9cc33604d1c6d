import { describe, expect, it } from "vitest";
import { deviceSelectorProblem } from "./device-selector.ts";

describe("expressions over a device", () => {
  it.each([
    'device.driver == "gpu.example.com"',
    "device.allowMultipleAllocations",
    'device.attributes["gpu.example.com"].healthy',
    'device.attributes["gpu.example.com"].?model.orValue("") == "x"',
    'device.capacity["gpu.example.com"].memory.compareTo(quantity("10Gi")) >= 0',
    'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.a && gpu.b)',
    'device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.0.0"))',
  ])("accepts %s", (expression) => {
    expect(deviceSelectorProblem(expression)).toBeUndefined();
  });

  it("says what cannot be compiled", () => {
    expect(deviceSelectorProblem("Bogus")).toEqual({
      kind: "invalid",
      message:
        "compilation failed: ERROR: <input>:1:1: undeclared reference to 'Bogus' (in container '')\n | Bogus\n | ^",
    });
    expect(deviceSelectorProblem("device.nothing")?.message).toContain("undefined field 'nothing'");
  });

  it("wants a condition", () => {
    expect(deviceSelectorProblem("1")).toEqual({
      kind: "invalid",
      message: "must evaluate to bool or the unknown type, not int",
    });
  });

  it("refuses what may take too long", () => {
    const all = "device.attributes.all(a, device.attributes.all(b, ";
    const deep = `${all}${all.replaceAll("a,", "c,").replaceAll("b,", "d,")}a == b && c == d))))`;
    expect(deviceSelectorProblem(deep)).toEqual({ kind: "costly", message: "too complex, exceeds cost limit" });
  });
});
