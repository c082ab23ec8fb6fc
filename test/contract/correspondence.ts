/** The Go declarations that a text of `shared/contract` must equal. */
export type Correspondence =
  /** It has exactly the values of these constants. */
  | { readonly constants: readonly string[] }
  /** It has exactly the values of all constants of this type, except some for the given reasons. */
  | { readonly type: string; readonly except: Readonly<Record<string, string>> }
  /** The last part of its path is the value of this constant. */
  | { readonly key: string }
  /** Gardener has no constant for it. */
  | { readonly none: string }

const gardener = 'github.com/gardener/gardener'
const core = `${gardener}/pkg/apis/core/v1beta1`
const extensions = `${gardener}/pkg/apis/extensions`
const resources = `${gardener}/pkg/apis/resources`
const machines = 'github.com/gardener/machine-controller-manager/pkg/apis/machine'

const is = (...constants: readonly string[]): Correspondence => ({ constants })
const allOf = (type: string, except: Readonly<Record<string, string>> = {}): Correspondence => ({
  type,
  except,
})
const key = (constant: string): Correspondence => ({ key: constant })
const none = (why: string): Correspondence => ({ none: why })

const ofTrellis = none('belongs to Trellis')
const inDefinitions = none('compared with the CRDs')
const controllerSelector = none('a selector, made of a label and its value')
const unit = allOf(`${extensions}/v1alpha1.UnitCommand`)
const encoding = allOf(`${extensions}/v1alpha1.FileCodecID`)
const families = allOf(`${extensions}/v1alpha1.IPFamily`)

/** By the paths of `declaredTexts`. A test fails if one has no entry here. */
export const correspondences: Readonly<Record<string, Correspondence>> = {
  group: is(`${extensions}.GroupName`),
  machineGroup: is(`${machines}.GroupName`),
  resourceGroup: is(`${resources}.GroupName`),
  version: inDefinitions,
  apiVersion: inDefinitions,
  machineApiVersion: inDefinitions,
  resourceApiVersion: inDefinitions,
  kindNames: inDefinitions,

  'annotations.operation': is(`${core}/constants.GardenerOperation`),
  'annotations.timestamp': is(`${core}/constants.GardenerTimestamp`),
  'annotations.deletionConfirmation': is(`${core}/constants.ConfirmationDeletion`),
  'annotations.forceDeletionConfirmation': is(`${core}/constants.AnnotationConfirmationForceDeletion`),
  'annotations.ipStack': is(`${gardener}/pkg/utils/gardener.AnnotationKeyIPStack`),
  'annotations.generatedSecretNamespace': is(
    `${core}/constants.AnnotationBackupBucketGeneratedSecretNamespace`,
  ),
  'annotations.genericTokenKubeconfigSecretName': is(
    `${core}/constants.AnnotationKeyGenericTokenKubeconfigSecretName`,
  ),
  'annotations.pause': ofTrellis,
  'annotations.step': ofTrellis,
  'annotations.traceparent': ofTrellis,
  'annotations.version': ofTrellis,
  'referencePrefixes.object': is(`${core}/constants.ReferencedResourcesPrefix`),
  'referencePrefixes.workloadIdentity': is(`${core}/constants.ReferencedWorkloadIdentityPrefix`),
  'labels.role': is(`${core}/constants.GardenRole`),
  'labels.deletionProtected': is(`${gardener}/pkg/utils/gardener.DeletionProtected`),

  requestedOperations: is(
    `${core}/constants.GardenerOperationReconcile`,
    `${core}/constants.GardenerOperationRestore`,
    `${core}/constants.GardenerOperationMigrate`,
    `${core}/constants.GardenerOperationWaitForState`,
  ),
  operationTypes: allOf(`${core}.LastOperationType`, {
    LiveMigrate: 'only a Shoot has it',
  }),
  stepOperations: ofTrellis,
  extensionClasses: allOf(`${extensions}/v1alpha1.ExtensionClass`),
  errorCodes: allOf(`${core}.ErrorCode`),
  'gardenerClassifier.code': is(`${core}.ErrorConfigurationProblem`),

  shootConditions: is(
    `${core}.ShootControlPlaneHealthy`,
    `${core}.ShootEveryNodeReady`,
    `${core}.ShootSystemComponentsHealthy`,
    `${core}.ShootObservabilityComponentsHealthy`,
  ),
  kindsWithShootConditions: is(
    `${extensions}/v1alpha1.BackupEntryResource`,
    `${extensions}/v1alpha1.ContainerRuntimeResource`,
    `${extensions}/v1alpha1.ControlPlaneResource`,
    `${extensions}/v1alpha1.ExtensionResource`,
    `${extensions}/v1alpha1.InfrastructureResource`,
    `${extensions}/v1alpha1.NetworkResource`,
    `${extensions}/v1alpha1.OperatingSystemConfigResource`,
    `${extensions}/v1alpha1.WorkerResource`,
  ),
  'monitoredKinds.ControlPlane.conditions': is(`${core}.ShootControlPlaneHealthy`),
  'monitoredKinds.Extension.conditions': is(`${core}.ShootControlPlaneHealthy`),
  'monitoredKinds.Worker.conditions': is(`${core}.ShootEveryNodeReady`),
  'monitoredKinds.ControlPlane.reads.0.labelSelector': controllerSelector,
  controllerSelector,
  'healthyStatus.Available': key(`${machines}/v1alpha1.MachineDeploymentAvailable`),
  'healthyStatus.Progressing': key(`${machines}/v1alpha1.MachineDeploymentProgressing`),
  'healthyStatus.ReplicaFailure': key(`${machines}/v1alpha1.MachineDeploymentReplicaFailure`),
  'healthyStatus.Frozen': key(`${machines}/v1alpha1.MachineDeploymentFrozen`),
  'healthyStatus.ResourcesApplied': key(`${resources}/v1alpha1.ResourcesApplied`),
  'healthyStatus.ResourcesHealthy': key(`${resources}/v1alpha1.ResourcesHealthy`),
  roundReason: ofTrellis,
  secondaryPrefix: ofTrellis,
  architecture: is(`${core}/constants.ArchitectureName`),
  defaultArchitecture: is(`${core}/constants.ArchitectureAMD64`),

  'DNSRecord.spec.recordType': allOf(`${extensions}/v1alpha1.DNSRecordType`),
  'Worker.spec.pools[].updateStrategy': allOf(`${core}.MachineUpdateStrategy`),
  'Network.spec.ipFamilies[]': families,
  'Network.status.ipFamilies[]': families,
  'OperatingSystemConfig.spec.purpose': allOf(`${extensions}/v1alpha1.OperatingSystemConfigPurpose`),
  'OperatingSystemConfig.spec.criConfig.name': allOf(`${extensions}/v1alpha1.CRIName`),
  'OperatingSystemConfig.spec.criConfig.cgroupDriver': allOf(`${extensions}/v1alpha1.CgroupDriverName`),
  'OperatingSystemConfig.spec.criConfig.containerd.registries[].hosts[].capabilities[]': allOf(
    `${extensions}/v1alpha1.RegistryCapability`,
  ),
  'OperatingSystemConfig.spec.criConfig.containerd.plugins[].op': allOf(
    `${extensions}/v1alpha1.PluginPathOperation`,
  ),
  'OperatingSystemConfig.spec.units[].command': unit,
  'OperatingSystemConfig.status.extensionUnits[].command': unit,
  'OperatingSystemConfig.spec.files[].content.inline.encoding': encoding,
  'OperatingSystemConfig.status.extensionFiles[].content.inline.encoding': encoding,
}
