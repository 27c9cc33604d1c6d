# Every Website has a ConfigMap with its image, which goes with it; the Website's status says that it is there.

import kopf
import kubernetes

kubernetes.config.load_kube_config()
core = kubernetes.client.CoreV1Api()


@kopf.on.create("example.com", "v1", "websites")
@kopf.on.update("example.com", "v1", "websites")
def reconcile(spec, name, namespace, patch, **_):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"image": spec["image"]}}
    kopf.adopt(body)
    core.patch_namespaced_config_map(
        name, namespace, body, field_manager="websites", force=True, _content_type="application/apply-patch+yaml"
    )
    patch.status["phase"] = "Deployed"
