// In place of @celadon/crd for the simulator and the path of writes in the bundle: custom resource definitions are loaded with the first text that has one.
// Callers that review call `loadDefinitions` first; the simulator uses these names for definitions alone.

type Package = typeof import("./crd-parts.ts");

export let acceptDefinition: Package["acceptDefinition"];
export let CustomResourceType: Package["CustomResourceType"];
export let definitionWarnings: Package["definitionWarnings"];
export let prepareDefinition: Package["prepareDefinition"];
export let readDefinition: Package["readDefinition"];
export let validateDefinition: Package["validateDefinition"];
export let validateDefinitionUpdate: Package["validateDefinitionUpdate"];
export let decodeWrite: Package["decodeWrite"];
export let prepareWrite: Package["prepareWrite"];
export let toScale: Package["toScale"];
export let validateWrite: Package["validateWrite"];
export let withReplicas: Package["withReplicas"];
export let writeWarnings: Package["writeWarnings"];

let isLoaded = false;

/** Loads the package where one of the texts needs it. Certificate policies are custom resources too. */
export async function loadDefinitions(texts: readonly string[]): Promise<void> {
  if (isLoaded || !texts.some((text) => /CustomResourceDefinition|cert-manager|CERTIFICATE REQUEST/.test(text))) return;
  ({
    acceptDefinition,
    CustomResourceType,
    definitionWarnings,
    prepareDefinition,
    readDefinition,
    validateDefinition,
    validateDefinitionUpdate,
    decodeWrite,
    prepareWrite,
    toScale,
    validateWrite,
    withReplicas,
    writeWarnings,
  } = await import("./crd-parts.ts"));
  isLoaded = true;
}
