# A kopf operator, and its user: a Widget has a ConfigMap, which follows its size and goes with it; the Widget's finalizer is taken off at the end.

import asyncio
import logging
import threading
import time

import kopf
import kubernetes

logging.getLogger().setLevel(logging.CRITICAL)
kubernetes.config.load_kube_config()
core, custom = kubernetes.client.CoreV1Api(), kubernetes.client.CustomObjectsApi()
GROUP, NAMESPACE = "kopf.example.com", "kopf"
WIDGETS = (GROUP, "v1", NAMESPACE, "widgets")


@kopf.on.startup()
def configure(settings, **_):
    settings.persistence.finalizer = f"{GROUP}/finalizer"
    settings.posting.level = logging.CRITICAL


@kopf.on.create(GROUP, "v1", "widgets")
@kopf.on.update(GROUP, "v1", "widgets")
def reconcile(spec, name, patch, **_):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"size": str(spec["size"])}}
    kopf.adopt(body)
    try:
        core.create_namespaced_config_map(NAMESPACE, body)
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        core.patch_namespaced_config_map(name, NAMESPACE, body)
    patch.status["size"] = spec["size"]


@kopf.on.delete(GROUP, "v1", "widgets")
def gone(name, **_):
    core.delete_namespaced_config_map(name, NAMESPACE)


def check(name, call):
    print(f"### {name}")
    try:
        print(call(), flush=True)
    except kubernetes.client.ApiException as error:
        print(error.status, error.reason, flush=True)


def until(read, wanted):
    """The value as soon as it is the wanted one, or what it is after a minute."""
    value = None
    for _ in range(600):
        try:
            value = read()
        except (kubernetes.client.ApiException, KeyError, TypeError) as error:
            value = getattr(error, "status", None)
        if value == wanted:
            break
        time.sleep(0.1)
    return value


def widget():
    return custom.get_namespaced_custom_object(*WIDGETS, "w")


properties = {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}
properties["status"] = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
version = {"name": "v1", "served": True, "storage": True, "subresources": {"status": {}}}
version["schema"] = {"openAPIV3Schema": {"type": "object", "properties": properties}}
spec = {"group": GROUP, "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"}, "versions": [version]}
definitions = kubernetes.client.ApiextensionsV1Api()
core.create_namespace({"metadata": {"name": NAMESPACE}})
definitions.create_custom_resource_definition({"metadata": {"name": f"widgets.{GROUP}"}, "spec": spec})
until(lambda: custom.list_namespaced_custom_object(*WIDGETS)["items"], [])

stop = threading.Event()
ready = threading.Event()
operator = threading.Thread(
    target=lambda: asyncio.run(kopf.operator(namespace=NAMESPACE, standalone=True, ready_flag=ready, stop_flag=stop)), daemon=True
)
operator.start()
check("the operator starts", lambda: ready.wait(60))
first = {"apiVersion": f"{GROUP}/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
custom.create_namespaced_custom_object(*WIDGETS, first)
size = lambda: core.read_namespaced_config_map("w", NAMESPACE).data["size"]
check("the ConfigMap is made", lambda: until(size, "1"))
check("its owner", lambda: core.read_namespaced_config_map("w", NAMESPACE).metadata.owner_references[0].kind)
check("the status says so", lambda: until(lambda: widget()["status"]["size"], 1))
check("the finalizer is set", lambda: widget()["metadata"]["finalizers"])
custom.patch_namespaced_custom_object(*WIDGETS, "w", {"spec": {"size": 7}})
check("the ConfigMap follows", lambda: until(size, "7"))
check("the status follows", lambda: until(lambda: widget()["status"]["size"], 7))
custom.delete_namespaced_custom_object(*WIDGETS, "w")
check("the Widget goes", lambda: until(widget, 404))
check("the ConfigMap goes", lambda: until(size, 404))
stop.set()
operator.join(30)
check("the operator stops", lambda: not operator.is_alive())
