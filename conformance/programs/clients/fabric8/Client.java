// fabric8's client, on which Java operators stand: objects, patches, an informer over WebSockets, leader election, exec and logs without a node.

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class Client {
  static final String NAMESPACE = "fabric8";

  static void check(String name, Callable<Object> call) {
    System.out.println("### " + name);
    try {
      System.out.println(clean(call.call()));
    } catch (KubernetesClientException e) {
      var status = e.getStatus();
      System.out.println(e.getCode() + " " + clean(status == null ? e.getMessage() : status.getReason() + " " + status.getMessage()));
    } catch (Exception e) {
      System.out.println(e.getClass().getSimpleName());
    }
  }

  static String clean(Object value) {
    return String.valueOf(value).replaceAll("127\\.0\\.0\\.1:\\d+", "HOST");
  }

  static ConfigMap configMap(String name, String key, String value) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().addToData(key, value).build();
  }

  public static void main(String[] args) throws Exception {
    try (KubernetesClient client = new KubernetesClientBuilder().build()) {
      var maps = client.configMaps().inNamespace(NAMESPACE);
      check("create a namespace", () -> client.namespaces()
          .resource(new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build()).create().getStatus().getPhase());
      check("create", () -> maps.resource(configMap("a", "k", "v")).create().getData());
      check("create again", () -> maps.resource(configMap("a", "k", "v")).create());
      check("edit", () -> maps.withName("a").edit(map -> new ConfigMapBuilder(map).addToData("k2", "v2").build()).getData());
      check("strategic merge patch",
          () -> maps.withName("a").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"k3\":\"v3\"}}").getData());
      check("apply", () -> maps.resource(configMap("s", "k", "1")).serverSideApply().getData());
      check("apply with a conflict", () -> maps.resource(configMap("s", "k", "2")).fieldManager("other").serverSideApply().getData());
      check("a stale update", () -> {
        ConfigMap map = maps.withName("a").get();
        map.getMetadata().setResourceVersion("1");
        return maps.resource(map).update();
      });
      check("an invalid object", () -> maps.resource(configMap("Bad_", "k", "v")).create());
      check("an informer", () -> {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch gone = new CountDownLatch(1);
        SharedIndexInformer<ConfigMap> informer = maps.inform(new ResourceEventHandler<>() {
          private void add(String what, ConfigMap map) {
            if (map.getMetadata().getName().equals("w")) seen.add(what);
          }

          public void onAdd(ConfigMap map) {
            add("added", map);
          }

          public void onUpdate(ConfigMap old, ConfigMap map) {
            add("updated", map);
          }

          public void onDelete(ConfigMap map, boolean isUnknown) {
            add("deleted", map);
            if (map.getMetadata().getName().equals("w")) gone.countDown();
          }
        });
        maps.resource(configMap("w", "n", "1")).create();
        maps.withName("w").delete();
        boolean inTime = gone.await(60, TimeUnit.SECONDS);
        informer.stop();
        return inTime + " " + seen;
      });
      check("a Deployment's defaults", () -> client.apps().deployments().inNamespace(NAMESPACE).resource(new DeploymentBuilder()
          .withNewMetadata().withName("d").endMetadata()
          .withNewSpec().withNewSelector().addToMatchLabels("a", "b").endSelector()
          .withNewTemplate().withNewMetadata().addToLabels("a", "b").endMetadata()
          .withNewSpec().addNewContainer().withName("c").withImage("i").endContainer().endSpec().endTemplate().endSpec()
          .build()).create().getSpec().getReplicas());
      check("scale", () -> client.apps().deployments().inNamespace(NAMESPACE).withName("d").scale(3).getSpec().getReplicas());
      check("a status", () -> client.apps().deployments().inNamespace(NAMESPACE).withName("d").editStatus(d -> new DeploymentBuilder(d)
          .withNewStatus().withReplicas(3).withReadyReplicas(3).endStatus().build()).getStatus().getReadyReplicas());
      check("wait for it", () -> client.apps().deployments().inNamespace(NAMESPACE).withName("d")
          .waitUntilCondition(d -> d.getStatus().getReadyReplicas() == 3, 60, TimeUnit.SECONDS).getStatus().getReadyReplicas());
      var pods = client.pods().inNamespace(NAMESPACE);
      check("a pod", () -> pods.resource(new PodBuilder().withNewMetadata().withName("p").endMetadata()
          .withNewSpec().addNewContainer().withName("c").withImage("i").endContainer().endSpec().build()).create().getStatus().getPhase());
      check("logs", () -> "[" + pods.withName("p").withLogWaitTimeout(0).getLog() + "]");
      check("exec", () -> {
        try (ExecWatch watch = pods.withName("p").withReadyWaitTimeout(0).writingOutput(new ByteArrayOutputStream()).exec("ls")) {
          return watch.exitCode().get(30, TimeUnit.SECONDS);
        }
      });
      check("objects without types", () -> client.genericKubernetesResources("v1", "ConfigMap").inNamespace(NAMESPACE).list().getItems()
          .stream().map(each -> each.getMetadata().getName()).filter(name -> name.length() == 1).sorted().toList());
      check("leader election", () -> {
        CountDownLatch leads = new CountDownLatch(1);
        var config = new LeaderElectionConfigBuilder().withName("l").withLeaseDuration(Duration.ofSeconds(15))
            .withRenewDeadline(Duration.ofSeconds(10)).withRetryPeriod(Duration.ofSeconds(1)).withReleaseOnCancel(true)
            .withLock(new LeaseLock(NAMESPACE, "lead", "me")).withLeaderCallbacks(new LeaderCallbacks(leads::countDown, () -> {}, id -> {}))
            .build();
        var run = client.leaderElector().withConfig(config).build().start();
        boolean inTime = leads.await(60, TimeUnit.SECONDS);
        String holder = client.leases().inNamespace(NAMESPACE).withName("lead").get().getSpec().getHolderIdentity();
        run.cancel(true);
        return inTime + " " + holder;
      });
      check("evict", () -> pods.withName("p").evict());
      check("delete the namespace", () -> client.namespaces().withName(NAMESPACE).delete().size());
    }
  }
}
