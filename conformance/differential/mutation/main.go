// The reference implementation's answers to mutations: an expression of one of the two types of patches and an object in, the object
// after it or the error out, one JSON line each. compare.mjs beside it asks, and says how to build and run. Not part of the product.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type question struct {
	PatchType  string          `json:"patchType"`
	Expression string          `json:"expression"`
	Object     json.RawMessage `json:"object"`
	// Of a custom kind; built-in kinds have theirs.
	Schema json.RawMessage `json:"schema"`
}

type answer struct {
	Object json.RawMessage `json:"object,omitempty"`
	Error  string          `json:"error,omitempty"`
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1."

var builtin managedfields.TypeConverter
var models = map[string]*spec.Schema{}

func main() {
	load(os.Args[1])
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			panic(err)
		}
		b, _ := json.Marshal(ask(q))
		fmt.Println(string(b))
	}
}

func load(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*_openapi.json"))
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		var doc struct {
			Components struct{ Schemas map[string]*spec.Schema }
		}
		if err := json.Unmarshal(b, &doc); err != nil {
			panic(err)
		}
		for name, s := range doc.Components.Schemas {
			models[name] = s
		}
	}
	var err error
	if builtin, err = managedfields.NewTypeConverter(models, false); err != nil {
		panic(err)
	}
}

func converter(q question, gvk schema.GroupVersionKind) managedfields.TypeConverter {
	if q.Schema == nil {
		return builtin
	}
	root := &spec.Schema{}
	if err := json.Unmarshal(q.Schema, root); err != nil {
		panic(err)
	}
	root.SetProperty("metadata", *spec.RefSchema("#/components/schemas/" + objectMeta + "ObjectMeta"))
	root.SetProperty("apiVersion", *spec.StringProperty())
	root.SetProperty("kind", *spec.StringProperty())
	root.AddExtension("x-kubernetes-group-version-kind", []interface{}{map[string]interface{}{
		"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}})
	all := map[string]*spec.Schema{"root": root}
	for name, s := range models {
		if strings.HasPrefix(name, objectMeta) {
			all[name] = s
		}
	}
	made, err := managedfields.NewTypeConverter(all, false)
	if err != nil {
		panic(err)
	}
	return made
}

func ask(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	object := &unstructured.Unstructured{Object: map[string]interface{}{}}
	if err := utiljson.Unmarshal(q.Object, &object.Object); err != nil {
		panic(err)
	}
	gvk := object.GroupVersionKind()
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		panic(err)
	}
	compiler.CompileAndStoreVariables(nil, cel.OptionalVariableDeclarations{HasPatchTypes: true}, environment.StoredExpressions)
	declared := cel.OptionalVariableDeclarations{HasPatchTypes: true}
	var patcher patch.Patcher
	if q.PatchType == "JSONPatch" {
		patcher = patch.NewJSONPatcher(compiler.CompileMutatingEvaluator(&patch.JSONPatchCondition{Expression: q.Expression}, declared, environment.StoredExpressions))
	} else {
		patcher = patch.NewApplyConfigurationPatcher(compiler.CompileMutatingEvaluator(&patch.ApplyConfigurationCondition{Expression: q.Expression}, declared, environment.StoredExpressions))
	}
	gvr := schema.GroupVersionResource{Group: gvk.Group, Version: gvk.Version, Resource: strings.ToLower(gvk.Kind) + "s"}
	attrs := admission.NewAttributesRecord(object, nil, gvk, object.GetNamespace(), object.GetName(), gvr, "", admission.Create, &metav1.CreateOptions{}, false, nil)
	request := patch.Request{
		MatchedResource:     gvr,
		VersionedAttributes: &admission.VersionedAttributes{Attributes: attrs, VersionedKind: gvk, VersionedObject: object},
		ObjectInterfaces:    interfaces{},
		TypeConverter:       converter(q, gvk),
	}
	patched, err := patcher.Patch(context.Background(), request, celconfig.RuntimeCELCostBudget)
	if err != nil {
		return answer{Error: sorted(err.Error())}
	}
	b, err := json.Marshal(patched.(*unstructured.Unstructured).Object)
	if err != nil {
		return answer{Error: "marshal: " + err.Error()}
	}
	return answer{Object: b}
}

// Go walks maps in no order: lines of one error are told in that of the alphabet.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	sort.Strings(lines[1:])
	return strings.Join(lines, "\n")
}

// Objects stay as they are read, and get no defaults.
type interfaces struct{}

func (interfaces) GetObjectCreater() runtime.ObjectCreater {
	return unstructuredscheme.NewUnstructuredCreator()
}
func (interfaces) GetObjectTyper() runtime.ObjectTyper {
	return unstructuredscheme.NewUnstructuredObjectTyper()
}
func (interfaces) GetObjectDefaulter() runtime.ObjectDefaulter {
	return unstructuredscheme.NewUnstructuredDefaulter()
}
func (interfaces) GetObjectConvertor() runtime.ObjectConvertor { return nil }
func (interfaces) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return nil
}
