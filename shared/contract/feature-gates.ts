import { formatPath, type Problem, problemsInEach } from '../decode/problems.ts'

/**
 * Feature gates by the first minor version of Kubernetes that has them; 31 includes all earlier versions. Sources:
 * `versioned_feature_list.yaml` of Kubernetes 1.36.4, the gates of 1.32 to 1.35 that 1.36 removed, and the additional
 * or earlier ones of Gardener 1.149.3 (`pkg/utils/validation/features/featuregates.go`).
 */
const gatesSince: Readonly<Record<number, string>> = {
  31: `
    APIListChunking APIResponseCompression APIServerIdentity APIServerTracing APIServingWithRoutine
    AdmissionWebhookMatchConditions AggregatedDiscoveryEndpoint AggregatedDiscoveryRemoveBetaType AllAlpha
    AllBeta AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
    AllowOverwriteTerminationGracePeriodSeconds AllowServiceExternalIPs AllowServiceLBStatusOnNonLB
    AnonymousAuthConfigurableEndpoints AnyVolumeDataSource AppArmor AppArmorFields
    AuthorizeNodeWithSelectors AuthorizeWithSelectors CPUCFSQuotaPeriod CPUManager
    CPUManagerPolicyAlphaOptions CPUManagerPolicyBetaOptions CPUManagerPolicyOptions
    CRDValidationRatcheting CSIMigrationPortworx CSIMigrationRBD CSIVolumeHealth
    ChangeContainerStatusOnKubeletRestart CloudControllerManagerWebhook ClusterTrustBundle
    ClusterTrustBundleProjection ComponentSLIs ConcurrentWatchObjectDecode ConsistentListFromCache
    ContainerCheckpoint ContextualLogging CoordinatedLeaderElection CronJobsScheduledAnnotation
    CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod CustomResourceFieldSelectors
    DevicePluginCDIDevices DisableAllocatorDualWrite DisableCloudProviders
    DisableKubeletCloudCredentialProviders DisableNodeKubeProxyVersion DynamicResourceAllocation
    EfficientWatchResumption ElasticIndexedJob EventedPLEG ExecProbeTimeout GitRepoVolumeDriver
    GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAScaleToZero HonorPVReclaimPolicy
    ImageMaximumGCAge ImageVolume InPlacePodVerticalScaling InTreePluginPortworxUnregister
    InformerResourceVersion JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy
    KMSv1 KubeletCgroupDriverFromCRI KubeletInUserNamespace KubeletPodResourcesDynamicResources
    KubeletPodResourcesGet KubeletPodResourcesListUseActivePods KubeletRegistrationGetOnExistsOnly
    KubeletSeparateDiskGC KubeletTracing LoadBalancerIPMode LocalStorageCapacityIsolationFSQuotaMonitoring
    LogarithmicScaleDown LoggingAlphaOptions LoggingBetaOptions MatchLabelKeysInPodAffinity
    MatchLabelKeysInPodTopologySpread MaxUnavailableStatefulSet MemoryManager MemoryQoS
    MultiCIDRServiceAllocator MutatingAdmissionPolicy NFTablesProxyMode
    NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap OpenAPIEnums OrderedNamespaceDeletion
    PodAndContainerStatsFromCRI PodDeletionCost PodIndexLabel PodLifecycleSleepAction
    PodReadyToStartContainersCondition PodSchedulingReadiness PortForwardWebsockets ProcMountType
    QOSReserved RecoverVolumeExpansionFailure RecursiveReadOnlyMounts RelaxedEnvironmentVariableValidation
    ReloadKubeletServerCertificateFile ResilientWatchCacheInitialization ResourceHealthStatus
    RetryGenerateName RotateKubeletServerCertificate RuntimeClassInImageCriApi SELinuxMount
    SELinuxMountReadWriteOncePod SchedulerQueueingHints SeparateCacheWatchRPC
    SeparateTaintEvictionController ServiceAccountTokenJTI ServiceAccountTokenNodeBinding
    ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo ServiceCIDRStatusFieldWiping
    ServiceTrafficDistribution SidecarContainers SizeMemoryBackedVolumes StatefulSetAutoDeletePVC
    StatefulSetSemanticRevisionComparison StorageNamespaceIndex StorageVersionAPI StorageVersionHash
    StorageVersionMigrator StrictCostEnforcementForVAP StrictCostEnforcementForWebhooks
    StructuredAuthenticationConfiguration StructuredAuthorizationConfiguration SupplementalGroupsPolicy
    TopologyAwareHints TopologyManagerPolicyAlphaOptions TopologyManagerPolicyBetaOptions
    TopologyManagerPolicyOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
    UnknownVersionInteroperabilityProxy UserNamespacesSupport VolumeAttributesClass
    WatchCacheInitializationPostStartHook WatchFromStorageWithoutResourceVersion WatchList WatchListClient
    WinDSR WinOverlay WindowsHostNetwork`,
  32: `
    AllowUnsafeMalformedObjectDeletion BtreeWatchCache CBORServingAndStorage ComponentFlagz
    ComponentStatusz DRAAdminAccess DRAResourceClaimDeviceStatus ExternalServiceAccountTokenSigner
    InPlacePodVerticalScalingAllocatedStatus InPlacePodVerticalScalingExclusiveCPUs
    KubeletCrashLoopBackOffMax KubeletFineGrainedAuthz PodLevelResources PodLifecycleSleepActionAllowZero
    PodLogsQuerySplitStreams RelaxedDNSSearchValidation RemoteRequestHeaderUID SELinuxChangePolicy
    SchedulerAsyncPreemption ServiceAccountNodeAudienceRestriction SystemdWatchdog
    WindowsCPUAndMemoryAffinity WindowsGracefulNodeShutdown`,
  33: `
    AllowParsingUserUIDFromCertAuth ContainerStopSignals DRADeviceTaints DRAPartitionableDevices
    DRAPrioritizedList DeclarativeValidation DeclarativeValidationTakeover
    DeploymentReplicaSetTerminatingReplicas DisableCPUQuotaWithExclusiveCPUs HPAConfigurableTolerance
    KubeletEnsureSecretPulledImages KubeletPSI KubeletServiceAccountTokenForCredentialProviders
    LegacySidecarContainers ListFromCacheSnapshot MutableCSINodeAllocatableCount
    PodObservedGenerationTracking PodTopologyLabelsAdmission PreferSameTrafficDistribution
    ReduceDefaultCrashLoopBackOffDecay SchedulerPopFromBackoffQ StorageCapacityScoring
    StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf StrictIPCIDRValidation`,
  34: `
    ClearingNominatedNodeNameAfterBinding ContainerRestartRules DRAConsumableCapacity
    DRADeviceBindingConditions DRAExtendedResource DRASchedulerFilterTimeout DetectCacheInconsistency
    EnvFiles HostnameOverride InPlacePodVerticalScalingExclusiveMemory
    MatchLabelKeysInPodTopologySpreadSelectorMerge NominatedNodeNameForExpectation PodCertificateRequest
    PreventStaticPodAPIReferences RelaxedServiceNameValidation SchedulerAsyncAPICalls
    SizeBasedListCostEstimate StructuredAuthenticationConfigurationEgressSelector
    TokenRequestServiceAccountUIDValidation`,
  35: `
    AuthorizePodWebsocketUpgradeCreatePermission CRDObservedGenerationTracking CSIServiceAccountTokenSecrets
    CloudControllerManagerWatchBasedRoutesReconciliation ConstrainedImpersonation DRADeviceTaintRules
    GangScheduling GenericWorkload ImageVolumeWithDigest InPlacePodLevelResourcesVerticalScaling
    MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs
    NodeDeclaredFeatures OpportunisticBatching RestartAllContainersOnContainerExits
    StructuredAuthenticationConfigurationJWKSMetrics TaintTolerationComparisonOperators
    UserNamespacesHostNetworkSupport VolumeLimitScaling`,
  36: `
    CRIListStreaming ControllerManagerReleaseLeaderElectionLockOnExit DRAListTypeAttributes
    DRANodeAllocatableResources DRAResourceClaimGranularStatusAuthorization DRAResourcePoolStatus
    DRAWorkloadResourceClaims DeclarativeValidationBeta ExtendWebSocketsToKubelet
    InPlacePodVerticalScalingInitContainers ManifestBasedAdmissionControlConfig NativeHistograms
    PLEGOnDemandRelist PersistentVolumeClaimUnusedSinceTime PodLevelResourceManagers PodsAPI
    ReloadKubeletClientCAFile ResourceHealthStatusMessage ShardedListAndWatch
    StaleControllerConsistencyDaemonSet StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
    StaleControllerConsistencyStatefulSet TopologyAwareWorkloadScheduling WorkloadAwarePreemption
    WorkloadWithJob`,
}

/** More gates of 1.31 in Gardener 1.149.3, by the first minor version without them. */
const gatesUntil: Readonly<Record<number, string>> = {
  32: `
    CloudDualStackNodeIPs DRAControlPlaneController HPAContainerMetrics KMSv2 KMSv2KDF
    LegacyServiceAccountTokenCleanUp MinDomainsInPodTopologySpread NewVolumeManagerReconstruction
    NodeOutOfServiceVolumeDetach PodHostIPs ServerSideApply ServerSideFieldValidation
    StableLoadBalancerNodeSet ValidatingAdmissionPolicy ZeroLimitedNominalConcurrencyShares`,
  33: `
    JobPodFailurePolicy KubeProxyDrainingTerminatingNodes PDBUnhealthyPodEvictionPolicy
    PersistentVolumeLastPhaseTransitionTime RemainingItemCount VolumeCapacityPriority WatchBookmark`,
  34: `
    PodDisruptionConditions StatefulSetStartOrdinal`,
  35: `
    UserNamespacesPodSecurityStandards`,
}

/** The newest version with known gates. */
const newest = Math.max(...Object.keys(gatesSince).map(Number))

const byName = (gates: Readonly<Record<number, string>>): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(gates).flatMap(([minor, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map(name => [name, Number(minor)] as const),
    ),
  )

const since = byName(gatesSince)
const until = byName(gatesUntil)

/**
 * Returns the problem of a feature gate in a minor version of Kubernetes (33 for 1.33). Undefined: no problem, or an
 * unknown newer version.
 */
export const featureGateProblem = (gate: string, minor: number): string | undefined => {
  const first = since.get(gate)
  if (first !== undefined)
    return first > minor
      ? `expected a feature gate of Kubernetes 1.${minor}, found one that exists since 1.${first}`
      : undefined
  const gone = until.get(gate)
  if (gone !== undefined)
    return minor < gone
      ? undefined
      : `expected a feature gate of Kubernetes 1.${minor}, found one that was removed in 1.${gone}`
  return minor > newest
    ? undefined
    : `expected a feature gate of Kubernetes 1.${minor}, found an unknown name`
}

/** Returns the problems of feature gates in a minor version of Kubernetes. @param path the segments of their object */
export const featureGateProblems = (
  path: readonly string[],
  gates: Readonly<Record<string, boolean>> | null | undefined,
  minor: number,
): readonly Problem[] =>
  problemsInEach(Object.keys(gates ?? {}), gate => {
    const message = featureGateProblem(gate, minor)
    return message === undefined ? [] : [{ path: formatPath([...path, gate]), message }]
  })
