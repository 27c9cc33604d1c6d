// The messages that the suites use: those of the conformance suite, and the reference's own test messages, which have the same fields under
// other names.

import { file_cel_expr_conformance_proto2_test_all_types } from "@bufbuild/cel-spec/cel/expr/conformance/proto2/test_all_types_pb.js";
import { file_cel_expr_conformance_proto3_test_all_types } from "@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import {
  createFileRegistry,
  createRegistry,
  type DescFile,
  fromJsonString,
  type Registry,
  toJsonString,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** The same file with another package and other names. */
function rename(file: DescFile, names: readonly (readonly [from: string, to: string])[]): Registry {
  let renamed = toJsonString(FileDescriptorProtoSchema, file.proto);
  for (const [from, to] of names) renamed = renamed.replaceAll(from, to);
  return createFileRegistry(fromJsonString(FileDescriptorProtoSchema, renamed), (name) =>
    file.dependencies.find((dependency) => dependency.proto.name === name),
  );
}

export const registry: Registry = createRegistry(
  getTestRegistry(),
  rename(file_cel_expr_conformance_proto2_test_all_types, [
    ["cel.expr.conformance.proto2", "google.expr.proto2.test"],
    ['"single_id"', '"nested_id"'],
  ]),
  rename(file_cel_expr_conformance_proto3_test_all_types, [["cel.expr.conformance.proto3", "google.expr.proto3.test"]]),
);
