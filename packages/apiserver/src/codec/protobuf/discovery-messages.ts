// Messages of discovery, which no served kind needs, in the form of the generated lines.

export const DISCOVERY_MESSAGES: string = `
meta/v1.APIGroup|1:name=s 2[versions=#meta/v1.GroupVersionForDiscovery 3:preferredVersion=#meta/v1.GroupVersionForDiscovery
meta/v1.APIGroupList|1[groups=#meta/v1.APIGroup
meta/v1.APIResource|1:name=s 2:namespaced=b 3:kind=s 4:verbs=#meta/v1.Verbs 5[shortNames=s 6:singularName=s 7[categories=s 8:group=s 9:version=s 10:storageVersionHash=s
meta/v1.APIResourceList|1:groupVersion=s 2[resources=#meta/v1.APIResource
meta/v1.APIVersions|1[versions=s 2[serverAddressByClientCIDRs=#meta/v1.ServerAddressByClientCIDR
meta/v1.GroupVersionForDiscovery|1:groupVersion=s 2:version=s
meta/v1.ServerAddressByClientCIDR|1:clientCIDR=s 2:serverAddress=s
meta/v1.Verbs|1[items=s
apidiscovery.k8s.io/v2.APIGroupDiscovery|1:metadata=#meta/v1.ObjectMeta 2[versions=#apidiscovery.k8s.io/v2.APIVersionDiscovery
apidiscovery.k8s.io/v2.APIResourceDiscovery|1:resource=s 2:responseKind=#apidiscovery.k8s.io/v2.GroupVersionKind 3:scope=s 4:singularResource=s 5[verbs=s 6[shortNames=s 7[categories=s 8[subresources=#apidiscovery.k8s.io/v2.APISubresourceDiscovery
apidiscovery.k8s.io/v2.APISubresourceDiscovery|1:subresource=s 2:responseKind=#apidiscovery.k8s.io/v2.GroupVersionKind 4[verbs=s
apidiscovery.k8s.io/v2.APIVersionDiscovery|1:version=s 2[resources=#apidiscovery.k8s.io/v2.APIResourceDiscovery 3:freshness=s
apidiscovery.k8s.io/v2.GroupVersionKind|1:group=s 2:version=s 3:kind=s
`.trim();
