// List, map and message literals. Their base cost is charged even when an element fails.

import { LIST_BASE, MAP_BASE, STRUCT_BASE } from "../../cost/formulas.ts";
import type { ListStep, MapStep, StructStep } from "../../plan/step.ts";
import { apartKey, CelMap, unhashableType } from "../../value/collection/map.ts";
import { CelError, isError, Panic } from "../../value/error.ts";
import { Stop } from "../../value/size/stop.ts";
import { formatValue } from "../../value/text/format-go.ts";
import { Optional, type Value } from "../../value/value.ts";
import { GROWTH } from "../growth.ts";
import type { Builder, Run } from "./interpret.ts";

export function interpretList(step: ListStep, b: Builder): Run {
  const elements = step.elements.map(b.build);
  const { optional, id } = step;
  return (frame) => {
    const result = build();
    frame.charge(LIST_BASE);
    return result;

    function build(): Value | CelError {
      b.growth(GROWTH.list + elements.length * GROWTH.element);
      const list: Value[] = [];
      for (let i = 0; i < elements.length; i++) {
        const value = (elements[i] as Run)(frame);
        if (isError(value)) return value;
        if (!optional?.[i]) list.push(value);
        else if (!(value instanceof Optional)) return notOptionalElement(value).at(id);
        else if (value.hasValue) list.push(value.value);
      }
      return list;
    }
  };
}

export function interpretMap(step: MapStep, b: Builder): Run {
  const entries = step.entries.map(({ key, value, optional, apart }) => ({
    key: b.build(key),
    value: b.build(value),
    optional,
    apart,
  }));
  const { id, strict } = step;
  return (frame) => {
    const result = build();
    frame.charge(MAP_BASE);
    return result;

    function build(): Value | CelError {
      b.growth(GROWTH.map + entries.length * GROWTH.entry);
      const map = new CelMap();
      for (const entry of entries) {
        let key = entry.key(frame);
        if (isError(key)) return key;
        if (entry.apart) key = apartKey(key);
        let value = entry.value(frame);
        if (isError(value)) return value;
        if (entry.optional) {
          if (!(value instanceof Optional)) return notOptionalEntry(formatValue(key), value).at(id);
          if (!value.hasValue) {
            const unhashable = unhashableType(key);
            if (unhashable !== undefined) throw new Stop(removing(unhashable).at(id));
            map.delete(key);
            continue;
          }
          value = value.value;
        }
        const failed = strict ? map.add(key, value) : map.set(key, value);
        if (failed instanceof Panic) throw new Stop(failed.at(id));
        if (failed) return failed.at(id);
      }
      return map;
    }
  };
}

/** The reference panics in other words when it removes a key than when it stores one. */
function removing(goType: string): Panic {
  return new Panic(`hash of unhashable type: ${goType}`);
}

export function interpretStruct(step: StructStep, b: Builder): Run {
  const fields = step.fields.map(({ name, value, optional }) => ({ name, value: b.build(value), optional }));
  const { id, struct } = step;
  return (frame) => {
    const result = build();
    frame.charge(STRUCT_BASE);
    return isError(result) ? result.at(id) : result;

    function build(): Value | CelError {
      b.growth(GROWTH.map + fields.length * GROWTH.entry);
      const values = new Map<string, Value>();
      for (const field of fields) {
        let value = field.value(frame);
        if (isError(value)) return value;
        if (field.optional) {
          if (!(value instanceof Optional)) return notOptionalEntry(field.name, value);
          if (!value.hasValue) {
            values.delete(field.name);
            continue;
          }
          value = value.value;
        }
        values.set(field.name, value);
      }
      return struct.create
        ? struct.create(values)
        : new CelError("invalid_argument", `unknown type: ${struct.type.name}`);
    }
  };
}

export function notOptionalElement(value: Value): CelError {
  return new CelError(
    "invalid_argument",
    `cannot initialize optional list element from non-optional value ${formatValue(value)}`,
  );
}

export function notOptionalEntry(key: string, value: Value): CelError {
  return new CelError(
    "invalid_argument",
    `cannot initialize optional entry '${key}' from non-optional value ${formatValue(value)}`,
  );
}
