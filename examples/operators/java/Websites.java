// Every Website has a ConfigMap with its image, which goes with it; the Website's status says that it is there.

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

public class Websites {
  public static class Spec {
    public String image;
    public Integer replicas;
  }

  public static class Status {
    public String phase;
  }

  @Group("example.com")
  @Version("v1")
  @Kind("Website")
  @Plural("websites")
  public static class Website extends CustomResource<Spec, Status> implements Namespaced {}

  @ControllerConfiguration
  public static class WebsiteReconciler implements Reconciler<Website> {
    @Override
    public UpdateControl<Website> reconcile(Website website, Context<Website> context) {
      var metadata = website.getMetadata();
      var map = new ConfigMapBuilder()
          .withNewMetadata().withName(metadata.getName()).withNamespace(metadata.getNamespace())
          .addNewOwnerReference().withApiVersion(website.getApiVersion()).withKind(website.getKind())
          .withName(metadata.getName()).withUid(metadata.getUid()).withController(true).endOwnerReference()
          .endMetadata()
          .addToData("image", website.getSpec().image)
          .build();
      context.getClient().resource(map).fieldManager("websites").forceConflicts().serverSideApply();
      var changed = new Website();
      changed.getMetadata().setName(metadata.getName());
      changed.getMetadata().setNamespace(metadata.getNamespace());
      var status = new Status();
      status.phase = "Deployed";
      changed.setStatus(status);
      return UpdateControl.patchStatus(changed);
    }
  }

  public static void main(String[] args) {
    var operator = new Operator();
    operator.register(new WebsiteReconciler());
    operator.start();
  }
}
