# The Python client of PyPI: objects, four kinds of patches, conflicts, pages, watches that go on, custom objects, the dynamic client.

import json
import re
import sys
import time

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException
from kubernetes.stream import stream

config.load_kube_config()
core, apps, custom = client.CoreV1Api(), client.AppsV1Api(), client.CustomObjectsApi()
definitions = client.ApiextensionsV1Api()
NAMESPACE = "python"


def clean(value):
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST", str(value))
    # The headers of a refused WebSocket.
    text = text.split(" -+-+-")[0]
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}", "UID", text)
    return re.sub(r"resourceVersion[^,}]*", "RV", text)


def check(name, call):
    print(f"### {name}")
    try:
        print(clean(call()))
    except ApiException as error:
        try:
            body = json.loads(error.body)
            print(error.status, clean(body.get("reason")), clean(body.get("message")), json.dumps(body.get("details"), sort_keys=True))
        except (TypeError, ValueError):
            print(error.status, clean(error.reason))
    except Exception as error:
        print(type(error).__name__, clean(error)[:300])
    sys.stdout.flush()


check("create a namespace", lambda: core.create_namespace({"metadata": {"name": NAMESPACE}}).status.phase)
a = {"metadata": {"name": "a", "labels": {"x": "1"}}, "data": {"k": "v"}}
check("create", lambda: core.create_namespaced_config_map(NAMESPACE, a).data)
check("create again", lambda: core.create_namespaced_config_map(NAMESPACE, a))
check("get what is missing", lambda: core.read_namespaced_config_map("b", NAMESPACE))
check("strategic merge patch", lambda: core.patch_namespaced_config_map("a", NAMESPACE, {"data": {"k2": "v2"}}).data)
add = [{"op": "add", "path": "/data/k3", "value": "v3"}]
check("JSON patch", lambda: core.patch_namespaced_config_map("a", NAMESPACE, add).data)
remove = [{"op": "remove", "path": "/data/none"}]
check("JSON patch of what is missing", lambda: core.patch_namespaced_config_map("a", NAMESPACE, remove).data)


def applied(value, manager, **more):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s"}, "data": {"a": value}}
    return core.patch_namespaced_config_map(
        "s", NAMESPACE, body, field_manager=manager, _content_type="application/apply-patch+yaml", **more
    ).data


check("apply", lambda: applied("1", "one"))
check("apply with a conflict", lambda: applied("2", "two"))
check("apply by force", lambda: applied("2", "two", force=True))


def stale():
    body = core.read_namespaced_config_map("a", NAMESPACE)
    body.metadata.resource_version = "1"
    return core.replace_namespaced_config_map("a", NAMESPACE, body)


check("a stale update", stale)
pod = {"metadata": {"name": "p", "labels": {"app": "p"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
check("a pod", lambda: core.create_namespaced_pod(NAMESPACE, pod).status.phase)
check("logs", lambda: core.read_namespaced_pod_log("p", NAMESPACE))
check("logs of another container", lambda: core.read_namespaced_pod_log("p", NAMESPACE, container="none"))
check("exec", lambda: stream(core.connect_get_namespaced_pod_exec, "p", NAMESPACE, command=["ls"], stdout=True))
check("exec in no pod", lambda: stream(core.connect_get_namespaced_pod_exec, "none", NAMESPACE, command=["ls"], stdout=True))
check("proxy to no service", lambda: core.connect_get_namespaced_service_proxy("none", NAMESPACE))
check("evict", lambda: core.create_namespaced_pod_eviction("p", NAMESPACE, {"metadata": {"name": "p"}}) is not None)
bad = {"metadata": {"name": "Bad_"}, "spec": {"containers": []}}
check("an invalid pod", lambda: core.create_namespaced_pod(NAMESPACE, bad))


def pages():
    for _ in range(7):
        core.create_namespaced_config_map(NAMESPACE, {"metadata": {"generateName": "g-", "labels": {"page": "y"}}})
    sizes, more = [], None
    while True:
        part = core.list_namespaced_config_map(NAMESPACE, limit=3, label_selector="page=y", _continue=more)
        sizes.append((len(part.items), part.metadata.remaining_item_count))
        more = part.metadata._continue
        if not more:
            return sizes


check("pages", pages)


def watched():
    version = core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    core.delete_namespaced_config_map("s", NAMESPACE)
    core.create_namespaced_config_map(NAMESPACE, {"metadata": {"name": "w"}})
    seen = []
    for wanted in (2, 3):
        for event in watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, resource_version=version, timeout_seconds=60):
            seen.append((event["type"], event["object"].metadata.name))
            version = event["object"].metadata.resource_version
            if len(seen) == wanted:
                break
        if wanted == 2:
            core.delete_namespaced_config_map("w", NAMESPACE)
    return seen


check("a watch that goes on", watched)
check("an unknown field", lambda: core.list_namespaced_pod(NAMESPACE, field_selector="spec.nope=1"))
check("a broken selector", lambda: core.list_namespaced_pod(NAMESPACE, label_selector="a in (b"))
template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
deployment = {"metadata": {"name": "d"}, "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": template}}
check("a Deployment's defaults", lambda: apps.create_namespaced_deployment(NAMESPACE, deployment).spec.strategy.to_dict())
check("scale", lambda: apps.patch_namespaced_deployment_scale("d", NAMESPACE, {"spec": {"replicas": 3}}).spec.replicas)
check("scale below nothing", lambda: apps.patch_namespaced_deployment_scale("d", NAMESPACE, {"spec": {"replicas": -3}}))
number = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "maximum": 5}}}
status = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
version = {
    "name": "v1",
    "served": True,
    "storage": True,
    "subresources": {"status": {}},
    "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": number, "status": status}}},
}
GROUP = "py.example.com"
names = {"plural": "things", "kind": "Thing"}
definition = {"metadata": {"name": f"things.{GROUP}"}, "spec": {"group": GROUP, "scope": "Namespaced", "names": names, "versions": [version]}}
check("a definition", lambda: definitions.create_custom_resource_definition(definition).spec.names.list_kind)
for _ in range(600):
    conditions = definitions.read_custom_resource_definition(f"things.{GROUP}").status.conditions or []
    if any(each.type == "Established" and each.status == "True" for each in conditions):
        break
    time.sleep(0.1)
# The reference serves it a moment later.
for _ in range(600):
    try:
        custom.list_namespaced_custom_object(GROUP, "v1", NAMESPACE, "things")
        break
    except ApiException:
        time.sleep(0.1)
thing = lambda name, n: {"apiVersion": f"{GROUP}/v1", "kind": "Thing", "metadata": {"name": name}, "spec": {"n": n, "x": 2}}
check("a custom object", lambda: custom.create_namespaced_custom_object(GROUP, "v1", NAMESPACE, "things", thing("t", 1))["spec"])
check("an invalid one", lambda: custom.create_namespaced_custom_object(GROUP, "v1", NAMESPACE, "things", thing("u", 9)))
check("its status", lambda: custom.patch_namespaced_custom_object_status(GROUP, "v1", NAMESPACE, "things", "t", {"status": {"ok": True}})["status"])
check("a version that is not served", lambda: custom.list_namespaced_custom_object(GROUP, "v2", NAMESPACE, "things"))
found = lambda: dynamic.DynamicClient(client.ApiClient()).resources.get(api_version=f"{GROUP}/v1", kind="Thing")
check("the dynamic client", lambda: [each.metadata.name for each in found().get(namespace=NAMESPACE).items])
request = {"spec": {"expirationSeconds": 3600}}
check("a token", lambda: len(core.create_namespaced_service_account_token("default", NAMESPACE, request).status.token) > 100)
check("delete the definition", lambda: definitions.delete_custom_resource_definition(f"things.{GROUP}") is not None)
check("delete the namespace", lambda: core.delete_namespace(NAMESPACE) is not None)
