// The reference implementation's answers to merges and patches, one JSON line in, one out. compare.mjs beside it asks, and says
// how to build and run. Not part of the product: nothing here is needed to build, test or use it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type step struct {
	Apply   json.RawMessage `json:"apply"`
	Update  json.RawMessage `json:"update"`
	Manager string          `json:"manager"`
	Force   bool            `json:"force"`
}

type question struct {
	Op     string          `json:"op"`
	Schema json.RawMessage `json:"schema"`
	Kind   struct{ Group, Version, Kind string }
	Steps  []step          `json:"steps"`
	Object json.RawMessage `json:"object"`
	Patch  json.RawMessage `json:"patch"`
	// A JSON patch as it is sent.
	Text string `json:"text"`
}

type answer struct {
	Objects []json.RawMessage `json:"objects,omitempty"`
	Errors  []string          `json:"errors,omitempty"`
	Object  json.RawMessage   `json:"object,omitempty"`
	Error   string            `json:"error,omitempty"`
}

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

var builtin managedfields.TypeConverter
var models = map[string]*spec.Schema{}

func main() {
	if len(os.Args) > 1 {
		load(os.Args[1])
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var q question
		if err := json.Unmarshal(line, &q); err != nil {
			panic(err)
		}
		b, _ := json.Marshal(ask(q))
		out.Write(b)
		out.WriteByte('\n')
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
	out.Flush()
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

func ask(q question) (a answer) {
	defer func() {
		if r := recover(); r != nil {
			a = answer{Error: fmt.Sprintf("panic: %v", r)}
		}
	}()
	switch q.Op {
	case "manage":
		return manage(q)
	case "strategic":
		return strategic(q)
	case "json":
		p, err := jsonpatch.DecodePatch([]byte(q.Text))
		if err != nil {
			return answer{Error: err.Error()}
		}
		out, err := p.Apply(encoded(q.Object))
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Object: out}
	case "merge":
		out, err := jsonpatch.MergePatch(q.Object, q.Patch)
		if err != nil {
			return answer{Error: err.Error()}
		}
		return answer{Object: out}
	}
	return answer{Error: "unknown question"}
}

// As the server writes an object before it is patched.
func encoded(raw json.RawMessage) []byte {
	var object interface{}
	utiljson.Unmarshal(raw, &object)
	b, _ := json.Marshal(object)
	return b
}

func strategic(q question) answer {
	obj, err := scheme.Scheme.New(schema.GroupVersionKind{Group: q.Kind.Group, Version: q.Kind.Version, Kind: q.Kind.Kind})
	if err != nil {
		return answer{Error: err.Error()}
	}
	original, patch := map[string]interface{}{}, map[string]interface{}{}
	utiljson.Unmarshal(q.Object, &original)
	utiljson.Unmarshal(q.Patch, &patch)
	out, err := strategicpatch.StrategicMergeMapPatch(original, patch, obj)
	if err != nil {
		return answer{Error: err.Error()}
	}
	b, _ := json.Marshal(out)
	return answer{Object: b}
}

type same struct{}

func (same) Convert(in, out, context interface{}) error { return fmt.Errorf("not here") }
func (same) ConvertToVersion(in runtime.Object, gv runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}
func (same) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}
func (same) Default(in runtime.Object) {}
func (same) New(kind schema.GroupVersionKind) (runtime.Object, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(kind)
	return u, nil
}

func manage(q question) (a answer) {
	gvk := schema.GroupVersionKind{Group: q.Kind.Group, Version: q.Kind.Version, Kind: q.Kind.Kind}
	converter := builtin
	if q.Schema != nil {
		root := &spec.Schema{}
		if err := json.Unmarshal(q.Schema, root); err != nil {
			return answer{Error: err.Error()}
		}
		root.SetProperty("metadata", *spec.RefSchema("#/components/schemas/" + objectMeta))
		root.SetProperty("apiVersion", *spec.StringProperty())
		root.SetProperty("kind", *spec.StringProperty())
		root.AddExtension("x-kubernetes-group-version-kind", []interface{}{map[string]interface{}{
			"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind}})
		all := map[string]*spec.Schema{"root": root}
		for name, s := range models {
			if len(name) > 30 && name[:30] == objectMeta[:30] {
				all[name] = s
			}
		}
		var err error
		if converter, err = managedfields.NewTypeConverter(all, false); err != nil {
			return answer{Error: err.Error()}
		}
	}
	manager, err := managedfields.NewDefaultCRDFieldManager(converter, same{}, same{}, same{}, gvk, gvk.GroupVersion(), "", nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	blank, _ := same{}.New(gvk)
	live := blank
	for _, s := range q.Steps {
		u := &unstructured.Unstructured{Object: map[string]interface{}{}}
		raw := s.Apply
		if raw == nil {
			raw = s.Update
		}
		if err := utiljson.Unmarshal(raw, &u.Object); err != nil {
			return answer{Error: err.Error()}
		}
		var next runtime.Object
		if s.Apply != nil {
			next, err = manager.Apply(live.DeepCopyObject(), u, s.Manager, s.Force)
		} else {
			next, err = manager.Update(live.DeepCopyObject(), u, s.Manager)
		}
		if err != nil {
			a.Errors = append(a.Errors, err.Error())
			a.Objects = append(a.Objects, json.RawMessage("null"))
			continue
		}
		object := next.(*unstructured.Unstructured)
		object.SetUID("1")
		b, err := json.Marshal(object.Object)
		if err != nil {
			return answer{Error: err.Error()}
		}
		a.Errors = append(a.Errors, "")
		a.Objects = append(a.Objects, b)
		live = object
	}
	return a
}
