/**
 * The messages of the served built-in kinds. Each has one line; indented lines continue it. A field consists of its
 * number, its JSON name and its type. `?`: JSON omits an empty value. `...`: its fields appear among those of the
 * parent. `[]`: repeated. `{}`: a map with text keys.
 *
 * Numbers and types come from the generated.proto files of k8s.io/api and k8s.io/apimachinery v0.37.1, names and `?`
 * from their Go types. A suite compares them with kube-apiserver (test/real/protobuf.real.ts).
 */
export const messageFields = `
AWSElasticBlockStoreVolumeSource: 1 volumeID string, 2 fsType? string, 3 partition? integer, 4 readOnly? boolean
Affinity: 1 nodeAffinity NodeAffinity, 2 podAffinity PodAffinity, 3 podAntiAffinity PodAntiAffinity
AggregationRule: 1 clusterRoleSelectors LabelSelector[]
AppArmorProfile: 1 type string, 2 localhostProfile string
ApplyConfiguration: 1 expression? string
AttachedVolume: 1 name string, 2 devicePath string
AzureDiskVolumeSource: 1 diskName string, 2 diskURI string, 3 cachingMode string, 4 fsType string, 5 readOnly boolean, 6 kind string
AzureFileVolumeSource: 1 secretName string, 2 shareName string, 3 readOnly? boolean
CSIDriver: 1 metadata ObjectMeta, 2 spec CSIDriverSpec
CSIDriverSpec: 1 attachRequired boolean, 2 podInfoOnMount boolean, 3 volumeLifecycleModes string[], 4 storageCapacity boolean, 5 fsGroupPolicy string,
  6 tokenRequests TokenRequest[], 7 requiresRepublish boolean, 8 seLinuxMount boolean, 9 nodeAllocatableUpdatePeriodSeconds integer, 10
  serviceAccountTokenInSecrets boolean, 11 preventPodSchedulingIfMissing boolean
CSIVolumeSource: 1 driver string, 2 readOnly boolean, 3 fsType string, 4 volumeAttributes {string}, 5 nodePublishSecretRef LocalObjectReference
Capabilities: 1 add string[], 2 drop string[]
CephFSVolumeSource: 1 monitors string[], 2 path? string, 3 user? string, 4 secretFile? string, 5 secretRef LocalObjectReference, 6 readOnly? boolean
CinderVolumeSource: 1 volumeID string, 2 fsType? string, 3 readOnly? boolean, 4 secretRef LocalObjectReference
ClientIPConfig: 1 timeoutSeconds integer
ClusterRole: 1 metadata ObjectMeta, 2 rules PolicyRule[], 3 aggregationRule AggregationRule
ClusterRoleBinding: 1 metadata ObjectMeta, 2 subjects Subject[], 3 roleRef RoleRef
ClusterTrustBundleProjection: 1 name string, 2 signerName string, 3 labelSelector LabelSelector, 5 optional boolean, 4 path string, 6 user integer
Condition: 1 type string, 2 status string, 3 observedGeneration? integer, 4 lastTransitionTime time, 5 reason string, 6 message string
ConfigMap: 1 metadata ObjectMeta, 4 immutable boolean, 2 data {string}, 3 binaryData {bytes}
ConfigMapEnvSource: 1 ... LocalObjectReference, 2 optional boolean
ConfigMapKeySelector: 1 ... LocalObjectReference, 2 key string, 3 optional boolean
ConfigMapNodeConfigSource: 1 namespace string, 2 name string, 3 uid? string, 4 resourceVersion? string, 5 kubeletConfigKey string
ConfigMapProjection: 1 ... LocalObjectReference, 2 items KeyToPath[], 4 optional boolean
ConfigMapVolumeSource: 1 ... LocalObjectReference, 2 items KeyToPath[], 3 defaultMode integer, 4 optional boolean, 5 defaultUser integer
Container: 1 name string, 2 image? string, 3 command string[], 4 args string[], 5 workingDir? string, 6 ports ContainerPort[], 19 envFrom
  EnvFromSource[], 7 env EnvVar[], 8 resources ResourceRequirements, 23 resizePolicy ContainerResizePolicy[], 24 restartPolicy string, 25
  restartPolicyRules ContainerRestartRule[], 9 volumeMounts VolumeMount[], 21 volumeDevices VolumeDevice[], 10 livenessProbe Probe, 11 readinessProbe
  Probe, 22 startupProbe Probe, 12 lifecycle Lifecycle, 13 terminationMessagePath? string, 20 terminationMessagePolicy? string, 14 imagePullPolicy?
  string, 15 securityContext SecurityContext, 16 stdin? boolean, 17 stdinOnce? boolean, 18 tty? boolean
ContainerExtendedResourceRequest: 1 containerName string, 2 resourceName string, 3 requestName string
ContainerImage: 1 names string[], 2 sizeBytes? integer
ContainerPort: 1 name? string, 2 hostPort? integer, 3 containerPort integer, 4 protocol? string, 5 hostIP? string
ContainerResizePolicy: 1 resourceName string, 2 restartPolicy string
ContainerRestartRule: 1 action? string, 2 exitCodes ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes: 1 operator? string, 2 values integer[]
ContainerState: 1 waiting ContainerStateWaiting, 2 running ContainerStateRunning, 3 terminated ContainerStateTerminated
ContainerStateRunning: 1 startedAt time
ContainerStateTerminated: 1 exitCode integer, 2 signal? integer, 3 reason? string, 4 message? string, 5 startedAt time, 6 finishedAt time, 7
  containerID? string
ContainerStateWaiting: 1 reason? string, 2 message? string
ContainerStatus: 1 name string, 2 state ContainerState, 3 lastState ContainerState, 4 ready boolean, 5 restartCount integer, 6 image string, 7 imageID
  string, 8 containerID? string, 9 started boolean, 10 allocatedResources {quantity}, 11 resources ResourceRequirements, 12 volumeMounts
  VolumeMountStatus[], 13 user ContainerUser, 14 allocatedResourcesStatus ResourceStatus[], 15 stopSignal string
ContainerUser: 1 linux LinuxContainerUser
DaemonEndpoint: 1 Port integer
DaemonSet: 1 metadata ObjectMeta, 2 spec DaemonSetSpec, 3 status DaemonSetStatus
DaemonSetCondition: 1 type string, 2 status string, 3 lastTransitionTime time, 4 reason? string, 5 message? string
DaemonSetSpec: 1 selector LabelSelector, 2 template PodTemplateSpec, 3 updateStrategy DaemonSetUpdateStrategy, 4 minReadySeconds? integer, 6
  revisionHistoryLimit integer
DaemonSetStatus: 1 currentNumberScheduled integer, 2 numberMisscheduled integer, 3 desiredNumberScheduled integer, 4 numberReady integer, 5
  observedGeneration? integer, 6 updatedNumberScheduled? integer, 7 numberAvailable? integer, 8 numberUnavailable? integer, 9 collisionCount integer,
  10 conditions DaemonSetCondition[]
DaemonSetUpdateStrategy: 1 type? string, 2 rollingUpdate RollingUpdateDaemonSet
DeleteOptions: 1 gracePeriodSeconds integer, 2 preconditions Preconditions, 3 orphanDependents boolean, 4 propagationPolicy string, 5 dryRun string[],
  6 ignoreStoreReadErrorWithClusterBreakingPotential boolean
Deployment: 1 metadata ObjectMeta, 2 spec DeploymentSpec, 3 status DeploymentStatus
DeploymentCondition: 1 type string, 2 status string, 6 lastUpdateTime time, 7 lastTransitionTime time, 4 reason? string, 5 message? string
DeploymentSpec: 1 replicas integer, 2 selector LabelSelector, 3 template PodTemplateSpec, 4 strategy DeploymentStrategy, 5 minReadySeconds? integer, 6
  revisionHistoryLimit integer, 7 paused? boolean, 9 progressDeadlineSeconds integer
DeploymentStatus: 1 observedGeneration? integer, 2 replicas? integer, 3 updatedReplicas? integer, 7 readyReplicas? integer, 4 availableReplicas?
  integer, 5 unavailableReplicas? integer, 9 terminatingReplicas integer, 6 conditions DeploymentCondition[], 8 collisionCount integer
DeploymentStrategy: 1 type? string, 2 rollingUpdate RollingUpdateDeployment
DownwardAPIProjection: 1 items DownwardAPIVolumeFile[]
DownwardAPIVolumeFile: 1 path string, 2 fieldRef ObjectFieldSelector, 3 resourceFieldRef ResourceFieldSelector, 4 mode integer, 5 user integer
DownwardAPIVolumeSource: 1 items DownwardAPIVolumeFile[], 2 defaultMode integer, 3 defaultUser integer
EmptyDirVolumeSource: 1 medium? string, 2 sizeLimit quantity, 3 mode integer
Endpoint: 1 addresses string[], 2 conditions EndpointConditions, 3 hostname string, 4 targetRef ObjectReference, 5 deprecatedTopology {string}, 6
  nodeName string, 7 zone string, 8 hints EndpointHints
EndpointConditions: 1 ready boolean, 2 serving boolean, 3 terminating boolean
EndpointHints: 1 forZones ForZone[], 2 forNodes ForNode[]
EndpointPort: 1 name string, 2 protocol string, 3 port integer, 4 appProtocol string
EndpointSlice: 1 metadata ObjectMeta, 4 addressType string, 2 endpoints Endpoint[], 3 ports EndpointPort[]
EnvFromSource: 1 prefix? string, 2 configMapRef ConfigMapEnvSource, 3 secretRef SecretEnvSource
EnvVar: 1 name string, 2 value? string, 3 valueFrom EnvVarSource
EnvVarSource: 1 fieldRef ObjectFieldSelector, 2 resourceFieldRef ResourceFieldSelector, 3 configMapKeyRef ConfigMapKeySelector, 4 secretKeyRef
  SecretKeySelector, 5 fileKeyRef FileKeySelector
EphemeralContainer: 1 ... EphemeralContainerCommon, 2 targetContainerName? string
EphemeralContainerCommon: 1 name string, 2 image? string, 3 command string[], 4 args string[], 5 workingDir? string, 6 ports ContainerPort[], 19
  envFrom EnvFromSource[], 7 env EnvVar[], 8 resources ResourceRequirements, 23 resizePolicy ContainerResizePolicy[], 24 restartPolicy string, 25
  restartPolicyRules ContainerRestartRule[], 9 volumeMounts VolumeMount[], 21 volumeDevices VolumeDevice[], 10 livenessProbe Probe, 11 readinessProbe
  Probe, 22 startupProbe Probe, 12 lifecycle Lifecycle, 13 terminationMessagePath? string, 20 terminationMessagePolicy? string, 14 imagePullPolicy?
  string, 15 securityContext SecurityContext, 16 stdin? boolean, 17 stdinOnce? boolean, 18 tty? boolean
EphemeralVolumeSource: 1 volumeClaimTemplate PersistentVolumeClaimTemplate
Event: 1 metadata ObjectMeta, 2 involvedObject ObjectReference, 3 reason? string, 4 message? string, 5 source EventSource, 6 firstTimestamp time, 7
  lastTimestamp time, 8 count? integer, 9 type? string, 10 eventTime microtime, 11 series EventSeries, 12 action? string, 13 related ObjectReference,
  14 reportingComponent string, 15 reportingInstance string
EventSeries: 1 count? integer, 2 lastObservedTime microtime
EventSource: 1 component? string, 2 host? string
EvictionResponder: 1 name string, 2 priority integer
ExecAction: 1 command string[]
FCVolumeSource: 1 targetWWNs string[], 2 lun integer, 3 fsType? string, 4 readOnly? boolean, 5 wwids string[]
FieldSelectorAttributes: 1 rawSelector? string, 2 requirements FieldSelectorRequirement[]
FieldSelectorRequirement: 1 key string, 2 operator string, 3 values string[]
FileKeySelector: 1 volumeName string, 2 path string, 3 key string, 4 optional boolean
FlexVolumeSource: 1 driver string, 2 fsType? string, 3 secretRef LocalObjectReference, 4 readOnly? boolean, 5 options {string}
FlockerVolumeSource: 1 datasetName? string, 2 datasetUUID? string
ForNode: 1 name string
ForZone: 1 name string
GCEPersistentDiskVolumeSource: 1 pdName string, 2 fsType? string, 3 partition? integer, 4 readOnly? boolean
GRPCAction: 1 port integer, 2 service string, 3 mode string
GitRepoVolumeSource: 1 repository string, 2 revision? string, 3 directory? string
GlusterfsVolumeSource: 1 endpoints string, 2 path string, 3 readOnly? boolean
HTTPGetAction: 1 path? string, 2 port int-or-string, 3 host? string, 4 scheme? string, 5 httpHeaders HTTPHeader[], 6 protocol string
HTTPHeader: 1 name string, 2 value string
HostAlias: 1 ip string, 2 hostnames string[]
HostIP: 1 ip string
HostPathVolumeSource: 1 path string, 2 type string
IPBlock: 1 cidr string, 2 except string[]
ISCSIVolumeSource: 1 targetPortal string, 2 iqn string, 3 lun integer, 4 iscsiInterface? string, 5 fsType? string, 6 readOnly? boolean, 7 portals
  string[], 8 chapAuthDiscovery? boolean, 11 chapAuthSession? boolean, 10 secretRef LocalObjectReference, 12 initiatorName string
ImageVolumeSource: 1 reference? string, 2 pullPolicy? string
ImageVolumeStatus: 1 imageRef? string
JSONPatch: 1 expression? string
KeyToPath: 1 key string, 2 path string, 3 mode integer, 4 user integer
LabelSelector: 1 matchLabels {string}, 2 matchExpressions LabelSelectorRequirement[]
LabelSelectorAttributes: 1 rawSelector? string, 2 requirements LabelSelectorRequirement[]
LabelSelectorRequirement: 1 key string, 2 operator string, 3 values string[]
Lease: 1 metadata ObjectMeta, 2 spec LeaseSpec
LeaseSpec: 1 holderIdentity string, 2 leaseDurationSeconds integer, 3 acquireTime microtime, 4 renewTime microtime, 5 leaseTransitions integer, 6
  strategy string, 7 preferredHolder string
Lifecycle: 1 postStart LifecycleHandler, 2 preStop LifecycleHandler, 3 stopSignal string
LifecycleHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction, 4 sleep SleepAction
LinuxContainerUser: 1 uid integer, 2 gid integer, 3 supplementalGroups integer[]
LoadBalancerIngress: 1 ip? string, 2 hostname? string, 3 ipMode string, 4 ports PortStatus[]
LoadBalancerStatus: 1 ingress LoadBalancerIngress[]
LocalObjectReference: 1 name? string
ManagedFieldsEntry: 1 manager? string, 2 operation? string, 3 apiVersion? string, 4 time time, 6 fieldsType? string, 7 fieldsV1 json, 8 subresource?
  string
MatchCondition: 1 name string, 2 expression string
MatchResources: 1 namespaceSelector LabelSelector, 2 objectSelector LabelSelector, 3 resourceRules NamedRuleWithOperations[], 4 excludeResourceRules
  NamedRuleWithOperations[], 7 matchPolicy string
ModifyVolumeStatus: 1 targetVolumeAttributesClassName? string, 2 status string
MutatingAdmissionPolicy: 1 metadata ObjectMeta, 2 spec MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding: 1 metadata ObjectMeta, 2 spec MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingSpec: 1 policyName? string, 2 paramRef ParamRef, 3 matchResources MatchResources
MutatingAdmissionPolicySpec: 1 paramKind ParamKind, 2 matchConstraints MatchResources, 3 variables Variable[], 4 mutations Mutation[], 5 failurePolicy
  string, 6 matchConditions MatchCondition[], 7 reinvocationPolicy? string
MutatingWebhook: 1 name string, 2 clientConfig WebhookClientConfig, 3 rules RuleWithOperations[], 4 failurePolicy string, 9 matchPolicy string, 5
  namespaceSelector LabelSelector, 11 objectSelector LabelSelector, 6 sideEffects string, 7 timeoutSeconds integer, 8 admissionReviewVersions
  string[], 10 reinvocationPolicy string, 12 matchConditions MatchCondition[]
MutatingWebhookConfiguration: 1 metadata ObjectMeta, 2 webhooks MutatingWebhook[]
Mutation: 2 patchType string, 3 applyConfiguration ApplyConfiguration, 4 jsonPatch JSONPatch
NFSVolumeSource: 1 server string, 2 path string, 3 readOnly? boolean
NamedRuleWithOperations: 1 resourceNames string[], 2 ... RuleWithOperations
Namespace: 1 metadata ObjectMeta, 2 spec NamespaceSpec, 3 status NamespaceStatus
NamespaceCondition: 1 type string, 2 status string, 4 lastTransitionTime time, 5 reason? string, 6 message? string
NamespaceSpec: 1 finalizers string[]
NamespaceStatus: 1 phase? string, 2 conditions NamespaceCondition[]
NetworkPolicy: 1 metadata ObjectMeta, 2 spec NetworkPolicySpec
NetworkPolicyEgressRule: 1 ports NetworkPolicyPort[], 2 to NetworkPolicyPeer[]
NetworkPolicyIngressRule: 1 ports NetworkPolicyPort[], 2 from NetworkPolicyPeer[]
NetworkPolicyPeer: 1 podSelector LabelSelector, 2 namespaceSelector LabelSelector, 3 ipBlock IPBlock
NetworkPolicyPort: 1 protocol string, 2 port int-or-string, 3 endPort integer
NetworkPolicySpec: 1 podSelector LabelSelector, 2 ingress NetworkPolicyIngressRule[], 3 egress NetworkPolicyEgressRule[], 4 policyTypes string[]
Node: 1 metadata ObjectMeta, 2 spec NodeSpec, 3 status NodeStatus
NodeAddress: 1 type string, 2 address string
NodeAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution NodeSelector, 2 preferredDuringSchedulingIgnoredDuringExecution
  PreferredSchedulingTerm[]
NodeAllocatableMappedResources: 1 name string, 2 quantity quantity
NodeAllocatableOverheadResources: 1 name string, 2 perPod quantity, 3 perContainer quantity
NodeAllocatableResourceClaimStatus: 1 resourceClaimName string, 2 containers string[], 4 mapping NodeAllocatableMappedResources[], 5 overhead
  NodeAllocatableOverheadResources[]
NodeCondition: 1 type string, 2 status string, 3 lastHeartbeatTime time, 4 lastTransitionTime time, 5 reason? string, 6 message? string
NodeConfigSource: 2 configMap ConfigMapNodeConfigSource
NodeConfigStatus: 1 assigned NodeConfigSource, 2 active NodeConfigSource, 3 lastKnownGood NodeConfigSource, 4 error? string
NodeDaemonEndpoints: 1 kubeletEndpoint DaemonEndpoint
NodeFeatures: 1 supplementalGroupsPolicy boolean
NodePodPreemptionPolicy: 1 disableResizePreemption string[]
NodeRuntimeHandler: 1 name string, 2 features NodeRuntimeHandlerFeatures
NodeRuntimeHandlerFeatures: 1 recursiveReadOnlyMounts boolean, 2 userNamespaces boolean
NodeSelector: 1 nodeSelectorTerms NodeSelectorTerm[]
NodeSelectorRequirement: 1 key string, 2 operator string, 3 values string[]
NodeSelectorTerm: 1 matchExpressions NodeSelectorRequirement[], 2 matchFields NodeSelectorRequirement[]
NodeSpec: 1 podCIDR? string, 7 podCIDRs string[], 3 providerID? string, 4 unschedulable? boolean, 5 taints Taint[], 6 configSource NodeConfigSource, 2
  externalID? string, 8 podPreemptionPolicy NodePodPreemptionPolicy
NodeStatus: 1 capacity {quantity}, 2 allocatable {quantity}, 3 phase? string, 4 conditions NodeCondition[], 5 addresses NodeAddress[], 6
  daemonEndpoints NodeDaemonEndpoints, 7 nodeInfo NodeSystemInfo, 8 images ContainerImage[], 9 volumesInUse string[], 10 volumesAttached
  AttachedVolume[], 11 config NodeConfigStatus, 12 runtimeHandlers NodeRuntimeHandler[], 13 features NodeFeatures, 14 declaredFeatures string[]
NodeSwapStatus: 1 capacity integer
NodeSystemInfo: 1 machineID string, 2 systemUUID string, 3 bootID string, 4 kernelVersion string, 5 osImage string, 6 containerRuntimeVersion string,
  7 kubeletVersion string, 8 kubeProxyVersion string, 9 operatingSystem string, 10 architecture string, 11 swap NodeSwapStatus, 12
  runningInUserNamespace boolean
NonResourceAttributes: 1 path? string, 2 verb? string
NonResourceRule: 1 verbs string[], 2 nonResourceURLs string[]
ObjectFieldSelector: 1 apiVersion? string, 2 fieldPath string
ObjectMeta: 1 name? string, 2 generateName? string, 3 namespace? string, 4 selfLink? string, 5 uid? string, 6 resourceVersion? string, 7 generation?
  integer, 8 creationTimestamp time, 9 deletionTimestamp time, 10 deletionGracePeriodSeconds integer, 11 labels {string}, 12 annotations {string}, 13
  ownerReferences OwnerReference[], 14 finalizers string[], 17 managedFields ManagedFieldsEntry[]
ObjectReference: 1 kind? string, 2 namespace? string, 3 name? string, 4 uid? string, 5 apiVersion? string, 6 resourceVersion? string, 7 fieldPath?
  string
Overhead: 1 podFixed {quantity}
OwnerReference: 5 apiVersion string, 1 kind string, 3 name string, 4 uid string, 6 controller boolean, 7 blockOwnerDeletion boolean
ParamKind: 1 apiVersion? string, 2 kind? string
ParamRef: 1 name? string, 2 namespace? string, 3 selector LabelSelector, 4 parameterNotFoundAction string
PersistentVolumeClaim: 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec, 3 status PersistentVolumeClaimStatus
PersistentVolumeClaimCondition: 1 type string, 2 status string, 3 lastProbeTime time, 4 lastTransitionTime time, 5 reason? string, 6 message? string
PersistentVolumeClaimSpec: 1 accessModes string[], 4 selector LabelSelector, 2 resources VolumeResourceRequirements, 3 volumeName? string, 5
  storageClassName string, 6 volumeMode string, 7 dataSource TypedLocalObjectReference, 8 dataSourceRef TypedObjectReference, 9
  volumeAttributesClassName string
PersistentVolumeClaimStatus: 1 phase? string, 2 accessModes string[], 3 capacity {quantity}, 4 conditions PersistentVolumeClaimCondition[], 5
  allocatedResources {quantity}, 7 allocatedResourceStatuses {string}, 8 currentVolumeAttributesClassName string, 9 modifyVolumeStatus
  ModifyVolumeStatus, 10 healthStatus VolumeHealthStatus
PersistentVolumeClaimTemplate: 1 metadata ObjectMeta, 2 spec PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource: 1 claimName string, 2 readOnly? boolean
PhotonPersistentDiskVolumeSource: 1 pdID string, 2 fsType? string
Pod: 1 metadata ObjectMeta, 2 spec PodSpec, 3 status PodStatus
PodAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[], 2 preferredDuringSchedulingIgnoredDuringExecution
  WeightedPodAffinityTerm[]
PodAffinityTerm: 1 labelSelector LabelSelector, 2 namespaces string[], 3 topologyKey string, 4 namespaceSelector LabelSelector, 5 matchLabelKeys
  string[], 6 mismatchLabelKeys string[]
PodAntiAffinity: 1 requiredDuringSchedulingIgnoredDuringExecution PodAffinityTerm[], 2 preferredDuringSchedulingIgnoredDuringExecution
  WeightedPodAffinityTerm[]
PodCertificateProjection: 1 signerName? string, 2 keyType? string, 3 maxExpirationSeconds integer, 4 credentialBundlePath? string, 5 keyPath? string,
  6 certificateChainPath? string, 7 userAnnotations {string}, 8 user integer
PodCondition: 1 type string, 7 observedGeneration? integer, 2 status string, 3 lastProbeTime time, 4 lastTransitionTime time, 5 reason? string, 6
  message? string
PodDNSConfig: 1 nameservers string[], 2 searches string[], 3 options PodDNSConfigOption[]
PodDNSConfigOption: 1 name? string, 2 value string
PodDisruptionBudget: 1 metadata ObjectMeta, 2 spec PodDisruptionBudgetSpec, 3 status PodDisruptionBudgetStatus
PodDisruptionBudgetSpec: 1 minAvailable int-or-string, 2 selector LabelSelector, 3 maxUnavailable int-or-string, 4 unhealthyPodEvictionPolicy string
PodDisruptionBudgetStatus: 1 observedGeneration? integer, 2 disruptedPods {time}, 3 disruptionsAllowed integer, 4 currentHealthy integer, 5
  desiredHealthy integer, 6 expectedPods integer, 7 conditions Condition[]
PodExtendedResourceClaimStatus: 1 requestMappings ContainerExtendedResourceRequest[], 2 resourceClaimName string
PodIP: 1 ip string
PodOS: 1 name string
PodReadinessGate: 1 conditionType string
PodResourceClaim: 1 name string, 3 resourceClaimName string, 4 resourceClaimTemplateName string
PodResourceClaimStatus: 1 name string, 2 resourceClaimName string
PodSchedulingGate: 1 name string
PodSchedulingGroup: 1 podGroupName string
PodSecurityContext: 1 seLinuxOptions SELinuxOptions, 8 windowsOptions WindowsSecurityContextOptions, 2 runAsUser integer, 6 runAsGroup integer, 3
  runAsNonRoot boolean, 4 supplementalGroups integer[], 12 supplementalGroupsPolicy string, 5 fsGroup integer, 7 sysctls Sysctl[], 9
  fsGroupChangePolicy string, 10 seccompProfile SeccompProfile, 11 appArmorProfile AppArmorProfile, 13 seLinuxChangePolicy string
PodSpec: 1 volumes Volume[], 20 initContainers Container[], 2 containers Container[], 34 ephemeralContainers EphemeralContainer[], 3 restartPolicy?
  string, 4 terminationGracePeriodSeconds integer, 5 activeDeadlineSeconds integer, 6 dnsPolicy? string, 7 nodeSelector {string}, 8
  serviceAccountName? string, 9 serviceAccount? string, 21 automountServiceAccountToken boolean, 10 nodeName? string, 11 hostNetwork? boolean, 12
  hostPID? boolean, 13 hostIPC? boolean, 27 shareProcessNamespace boolean, 14 securityContext PodSecurityContext, 15 imagePullSecrets
  LocalObjectReference[], 16 hostname? string, 17 subdomain? string, 18 affinity Affinity, 19 schedulerName? string, 22 tolerations Toleration[], 23
  hostAliases HostAlias[], 24 priorityClassName? string, 25 priority integer, 26 dnsConfig PodDNSConfig, 28 readinessGates PodReadinessGate[], 29
  runtimeClassName string, 30 enableServiceLinks boolean, 31 preemptionPolicy string, 32 overhead {quantity}, 33 topologySpreadConstraints
  TopologySpreadConstraint[], 35 setHostnameAsFQDN boolean, 36 os PodOS, 37 hostUsers boolean, 38 schedulingGates PodSchedulingGate[], 39
  resourceClaims PodResourceClaim[], 40 resources ResourceRequirements, 41 hostnameOverride string, 43 schedulingGroup PodSchedulingGroup, 44
  evictionResponders EvictionResponder[]
PodStatus: 17 observedGeneration? integer, 1 phase? string, 2 conditions PodCondition[], 3 message? string, 4 reason? string, 11 nominatedNodeName?
  string, 5 hostIP? string, 16 hostIPs HostIP[], 6 podIP? string, 12 podIPs PodIP[], 7 startTime time, 10 initContainerStatuses ContainerStatus[], 8
  containerStatuses ContainerStatus[], 9 qosClass? string, 13 ephemeralContainerStatuses ContainerStatus[], 14 resize? string, 15
  resourceClaimStatuses PodResourceClaimStatus[], 18 extendedResourceClaimStatus PodExtendedResourceClaimStatus, 19 allocatedResources {quantity}, 20
  resources ResourceRequirements, 21 nodeAllocatableResourceClaimStatuses NodeAllocatableResourceClaimStatus[], 22 volumeHealth PodVolumeHealth[]
PodTemplateSpec: 1 metadata ObjectMeta, 2 spec PodSpec
PodVolumeHealth: 1 name string, 2 healthConditions VolumeHealthCondition[], 3 lastTransitionTime time
PolicyRule: 1 verbs string[], 2 apiGroups string[], 3 resources string[], 4 resourceNames string[], 5 nonResourceURLs string[]
PortStatus: 1 port integer, 2 protocol string, 3 error string
PortworxVolumeSource: 1 volumeID string, 2 fsType? string, 3 readOnly? boolean
Preconditions: 1 uid string, 2 resourceVersion string
PreferredSchedulingTerm: 1 weight integer, 2 preference NodeSelectorTerm
PriorityClass: 1 metadata ObjectMeta, 2 value integer, 3 globalDefault? boolean, 4 description? string, 5 preemptionPolicy string
Probe: 1 ... ProbeHandler, 2 initialDelaySeconds? integer, 3 timeoutSeconds? integer, 4 periodSeconds? integer, 5 successThreshold? integer, 6
  failureThreshold? integer, 7 terminationGracePeriodSeconds integer
ProbeHandler: 1 exec ExecAction, 2 httpGet HTTPGetAction, 3 tcpSocket TCPSocketAction, 4 grpc GRPCAction
ProjectedVolumeSource: 1 sources VolumeProjection[], 2 defaultMode integer, 3 defaultUser integer
QuobyteVolumeSource: 1 registry string, 2 volume string, 3 readOnly? boolean, 4 user? string, 5 group? string, 6 tenant? string
RBDVolumeSource: 1 monitors string[], 2 image string, 3 fsType? string, 4 pool? string, 5 user? string, 6 keyring? string, 7 secretRef
  LocalObjectReference, 8 readOnly? boolean
ResourceAttributes: 1 namespace? string, 2 verb? string, 3 group? string, 4 version? string, 5 resource? string, 6 subresource? string, 7 name?
  string, 8 fieldSelector FieldSelectorAttributes, 9 labelSelector LabelSelectorAttributes
ResourceClaim: 1 name string, 2 request? string
ResourceFieldSelector: 1 containerName? string, 2 resource string, 3 divisor quantity
ResourceHealth: 1 resourceID string, 2 health? string, 6 message string
ResourceRequirements: 1 limits {quantity}, 2 requests {quantity}, 3 claims ResourceClaim[]
ResourceRule: 1 verbs string[], 2 apiGroups string[], 3 resources string[], 4 resourceNames string[]
ResourceStatus: 1 name string, 2 resources ResourceHealth[]
Role: 1 metadata ObjectMeta, 2 rules PolicyRule[]
RoleBinding: 1 metadata ObjectMeta, 2 subjects Subject[], 3 roleRef RoleRef
RoleRef: 1 apiGroup string, 2 kind string, 3 name string
RollingUpdateDaemonSet: 1 maxUnavailable int-or-string, 2 maxSurge int-or-string
RollingUpdateDeployment: 1 maxUnavailable int-or-string, 2 maxSurge int-or-string
Rule: 1 apiGroups string[], 2 apiVersions string[], 3 resources string[], 4 scope string
RuleWithOperations: 1 operations string[], 2 ... Rule
RuntimeClass: 1 metadata ObjectMeta, 2 handler string, 3 overhead Overhead, 4 scheduling Scheduling
SELinuxOptions: 1 user? string, 2 role? string, 3 type? string, 4 level? string
Scale: 1 metadata ObjectMeta, 2 spec ScaleSpec, 3 status ScaleStatus
ScaleIOVolumeSource: 1 gateway string, 2 system string, 3 secretRef LocalObjectReference, 4 sslEnabled? boolean, 5 protectionDomain? string, 6
  storagePool? string, 7 storageMode? string, 8 volumeName? string, 9 fsType? string, 10 readOnly? boolean
ScaleSpec: 1 replicas? integer
ScaleStatus: 1 replicas integer, 2 selector? string
Scheduling: 1 nodeSelector {string}, 2 tolerations Toleration[]
SeccompProfile: 1 type string, 2 localhostProfile string
Secret: 1 metadata ObjectMeta, 5 immutable boolean, 2 data {bytes}, 4 stringData {string}, 3 type? string
SecretEnvSource: 1 ... LocalObjectReference, 2 optional boolean
SecretKeySelector: 1 ... LocalObjectReference, 2 key string, 3 optional boolean
SecretProjection: 1 ... LocalObjectReference, 2 items KeyToPath[], 4 optional boolean
SecretVolumeSource: 1 secretName? string, 2 items KeyToPath[], 3 defaultMode integer, 4 optional boolean, 5 defaultUser integer
SecurityContext: 1 capabilities Capabilities, 2 privileged boolean, 3 seLinuxOptions SELinuxOptions, 10 windowsOptions WindowsSecurityContextOptions,
  4 runAsUser integer, 8 runAsGroup integer, 5 runAsNonRoot boolean, 6 readOnlyRootFilesystem boolean, 7 allowPrivilegeEscalation boolean, 9 procMount
  string, 11 seccompProfile SeccompProfile, 12 appArmorProfile AppArmorProfile
SelfSubjectAccessReview: 1 metadata ObjectMeta, 2 spec SelfSubjectAccessReviewSpec, 3 status SubjectAccessReviewStatus
SelfSubjectAccessReviewSpec: 1 resourceAttributes ResourceAttributes, 2 nonResourceAttributes NonResourceAttributes
SelfSubjectReview: 1 metadata ObjectMeta, 2 status SelfSubjectReviewStatus
SelfSubjectReviewStatus: 1 userInfo UserInfo
SelfSubjectRulesReview: 1 metadata ObjectMeta, 2 spec SelfSubjectRulesReviewSpec, 3 status SubjectRulesReviewStatus
SelfSubjectRulesReviewSpec: 1 namespace? string
Service: 1 metadata ObjectMeta, 2 spec ServiceSpec, 3 status ServiceStatus
ServiceAccount: 1 metadata ObjectMeta, 2 secrets ObjectReference[], 3 imagePullSecrets LocalObjectReference[], 4 automountServiceAccountToken boolean
ServiceAccountTokenProjection: 1 audience? string, 2 expirationSeconds integer, 3 path string, 4 user integer
ServicePort: 1 name? string, 2 protocol? string, 6 appProtocol string, 3 port integer, 4 targetPort int-or-string, 5 nodePort? integer
ServiceReference: 1 namespace string, 2 name string, 3 path string, 4 port integer
ServiceSpec: 1 ports ServicePort[], 2 selector {string}, 3 clusterIP? string, 18 clusterIPs string[], 4 type? string, 5 externalIPs string[], 7
  sessionAffinity? string, 8 loadBalancerIP? string, 9 loadBalancerSourceRanges string[], 10 externalName? string, 11 externalTrafficPolicy? string,
  12 healthCheckNodePort? integer, 13 publishNotReadyAddresses? boolean, 14 sessionAffinityConfig SessionAffinityConfig, 19 ipFamilies string[], 17
  ipFamilyPolicy string, 20 allocateLoadBalancerNodePorts boolean, 21 loadBalancerClass string, 22 internalTrafficPolicy string, 23
  trafficDistribution string
ServiceStatus: 1 loadBalancer LoadBalancerStatus, 2 conditions Condition[]
SessionAffinityConfig: 1 clientIP ClientIPConfig
SleepAction: 1 seconds integer
StorageClass: 1 metadata ObjectMeta, 2 provisioner string, 3 parameters {string}, 4 reclaimPolicy string, 5 mountOptions string[], 6
  allowVolumeExpansion boolean, 7 volumeBindingMode string, 8 allowedTopologies TopologySelectorTerm[]
StorageOSVolumeSource: 1 volumeName? string, 2 volumeNamespace? string, 3 fsType? string, 4 readOnly? boolean, 5 secretRef LocalObjectReference
Subject: 1 kind string, 2 apiGroup? string, 3 name string, 4 namespace? string
SubjectAccessReviewStatus: 1 allowed boolean, 4 denied? boolean, 2 reason? string, 3 evaluationError? string
SubjectRulesReviewStatus: 1 resourceRules ResourceRule[], 2 nonResourceRules NonResourceRule[], 3 incomplete boolean, 4 evaluationError? string
Sysctl: 1 name string, 2 value string
TCPSocketAction: 1 port int-or-string, 2 host? string
Taint: 1 key string, 2 value? string, 3 effect string, 4 timeAdded time
TokenRequest: 1 audience string, 2 expirationSeconds integer
Toleration: 1 key? string, 2 operator? string, 3 value? string, 4 effect? string, 5 tolerationSeconds integer
TopologySelectorLabelRequirement: 1 key string, 2 values string[]
TopologySelectorTerm: 1 matchLabelExpressions TopologySelectorLabelRequirement[]
TopologySpreadConstraint: 1 maxSkew integer, 2 topologyKey string, 3 whenUnsatisfiable string, 4 labelSelector LabelSelector, 5 minDomains integer, 6
  nodeAffinityPolicy string, 7 nodeTaintsPolicy string, 8 matchLabelKeys string[]
TypedLocalObjectReference: 1 apiGroup string, 2 kind string, 3 name string
TypedObjectReference: 1 apiGroup string, 2 kind string, 3 name string, 4 namespace string
UserInfo: 1 username? string, 2 uid? string, 3 groups string[]
ValidatingWebhook: 1 name string, 2 clientConfig WebhookClientConfig, 3 rules RuleWithOperations[], 4 failurePolicy string, 9 matchPolicy string, 5
  namespaceSelector LabelSelector, 10 objectSelector LabelSelector, 6 sideEffects string, 7 timeoutSeconds integer, 8 admissionReviewVersions
  string[], 11 matchConditions MatchCondition[]
ValidatingWebhookConfiguration: 1 metadata ObjectMeta, 2 webhooks ValidatingWebhook[]
Variable: 1 name string, 2 expression string
Volume: 1 name string, 2 ... VolumeSource
VolumeDevice: 1 name string, 2 devicePath string
VolumeHealthCondition: 1 status string, 2 reason string, 3 message? string
VolumeHealthStatus: 1 healthConditions VolumeHealthCondition[], 2 lastTransitionTime time
VolumeMount: 1 name string, 2 readOnly? boolean, 7 recursiveReadOnly string, 3 mountPath string, 4 subPath? string, 5 mountPropagation string, 6
  subPathExpr? string, 8 bindMountOptions string[]
VolumeMountStatus: 1 name string, 2 mountPath string, 3 readOnly? boolean, 4 recursiveReadOnly string, 5 volumeStatus VolumeStatus
VolumeProjection: 1 secret SecretProjection, 2 downwardAPI DownwardAPIProjection, 3 configMap ConfigMapProjection, 4 serviceAccountToken
  ServiceAccountTokenProjection, 5 clusterTrustBundle ClusterTrustBundleProjection, 6 podCertificate PodCertificateProjection
VolumeResourceRequirements: 1 limits {quantity}, 2 requests {quantity}
VolumeSource: 1 hostPath HostPathVolumeSource, 2 emptyDir EmptyDirVolumeSource, 3 gcePersistentDisk GCEPersistentDiskVolumeSource, 4
  awsElasticBlockStore AWSElasticBlockStoreVolumeSource, 5 gitRepo GitRepoVolumeSource, 6 secret SecretVolumeSource, 7 nfs NFSVolumeSource, 8 iscsi
  ISCSIVolumeSource, 9 glusterfs GlusterfsVolumeSource, 10 persistentVolumeClaim PersistentVolumeClaimVolumeSource, 11 rbd RBDVolumeSource, 12
  flexVolume FlexVolumeSource, 13 cinder CinderVolumeSource, 14 cephfs CephFSVolumeSource, 15 flocker FlockerVolumeSource, 16 downwardAPI
  DownwardAPIVolumeSource, 17 fc FCVolumeSource, 18 azureFile AzureFileVolumeSource, 19 configMap ConfigMapVolumeSource, 20 vsphereVolume
  VsphereVirtualDiskVolumeSource, 21 quobyte QuobyteVolumeSource, 22 azureDisk AzureDiskVolumeSource, 23 photonPersistentDisk
  PhotonPersistentDiskVolumeSource, 26 projected ProjectedVolumeSource, 24 portworxVolume PortworxVolumeSource, 25 scaleIO ScaleIOVolumeSource, 27
  storageos StorageOSVolumeSource, 28 csi CSIVolumeSource, 29 ephemeral EphemeralVolumeSource, 30 image ImageVolumeSource
VolumeStatus: 1 image ImageVolumeStatus
VsphereVirtualDiskVolumeSource: 1 volumePath string, 2 fsType? string, 3 storagePolicyName? string, 4 storagePolicyID? string
WebhookClientConfig: 3 url string, 1 service ServiceReference, 2 caBundle bytes
WeightedPodAffinityTerm: 1 weight integer, 2 podAffinityTerm PodAffinityTerm
WindowsSecurityContextOptions: 1 gmsaCredentialSpecName string, 2 gmsaCredentialSpec string, 3 runAsUserName string, 4 hostProcess boolean
`
