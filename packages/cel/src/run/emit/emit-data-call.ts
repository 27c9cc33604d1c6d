// Functions of lists and maps that work on data without converting it: size and membership.

import type { Attr, CallStep, Step } from "../../plan/step.ts";
import { boxed, type Emitter, type Operand } from "./emit.ts";
import { emitRange } from "./emit-attr.ts";
import { dataType, isOfType, propertyCode } from "./emit-data.ts";
import { narrow } from "./emit-operand.ts";

/** The call on data; undefined when it is another one, or its list or map is no data. */
export function emitDataCall(e: Emitter, { overload, args }: CallStep): Operand | undefined {
  const [first, second] = args as [Step, Step];
  switch (overload?.id) {
    case "size_list":
    case "list_size":
    case "size_map":
    case "map_size":
      return first.op === "attr" ? emitSize(e, first) : undefined;
    case "in_list":
      return second.op === "attr" ? emitInList(e, first, second) : undefined;
    case "in_map":
      return second.op === "attr" ? emitInMap(e, first, second) : undefined;
    default:
      return undefined;
  }
}

function emitSize(e: Emitter, attr: Attr): Operand | undefined {
  const data = e.charging(1, () => emitRange(e, attr));
  if (data === undefined) return undefined;
  e.pending += 1;
  return e.assign(data.type.kind === "list" ? `${data.code}.length` : `mapSize(${data.code})`, "int");
}

function emitInMap(e: Emitter, keyStep: Step, attr: Attr): Operand | undefined {
  const type = dataType(e, attr);
  const valueType = type?.kind === "map" ? type.params[1] : undefined;
  if (valueType === undefined) return undefined;
  const key = boxed(e.charging("deopt", () => e.step(keyStep)));
  const map = e.charging(1, () => emitRange(e, attr))?.code as string;
  e.pending += 1;
  const [found, result] = [e.temp(), e.temp()];
  if (keyStep.op === "const" && typeof keyStep.value === "string")
    e.line(`${found} = ${propertyCode(e, map, keyStep.value)};`);
  else e.line(`if (typeof ${key} !== "string") return D; ${found} = ownData(${map}, ${key});`);
  e.line(
    `if (${found} === undefined) ${result} = false; else if (${isOfType(e, found, valueType)}) ${result} = true; else return D;`,
  );
  return { code: result, rep: "bool" };
}

/** Membership in texts, ints or bools, if the element has one of these types. */
function emitInList(e: Emitter, elemStep: Step, attr: Attr): Operand | undefined {
  const type = dataType(e, attr);
  const elemType = type?.kind === "list" ? type.params[0] : undefined;
  const kind = elemType?.kind;
  if (elemType === undefined || (kind !== "string" && kind !== "int" && kind !== "bool") || elemStep.type.kind !== kind)
    return undefined;
  const given = e.charging("deopt", () => e.step(elemStep));
  const elem = given.rep === kind ? given : narrow(e, e.held(given), elemType);
  const list = e.charging("deopt", () => emitRange(e, attr))?.code as string;
  e.charge(`${list}.length`);
  const result = e.assign(`dataIn(${list}, ${elem.code})`, "bool");
  e.line(`if (${result.code} === undefined) return D;`);
  return result;
}
