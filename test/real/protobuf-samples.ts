const labels = { app: 'rose' }
const metadata = (name: string) => ({
  metadata: { name, labels, annotations: { note: 'a "quoted" text' }, finalizers: ['example.com/hold'] },
})

const container = {
  name: 'main',
  image: 'registry.invalid/rose:1',
  command: ['/rose'],
  args: ['--bloom', ''],
  ports: [{ name: 'http', containerPort: 8080, hostPort: 0 }],
  env: [
    { name: 'PLAIN', value: 'x' },
    { name: 'NONE' },
    { name: 'FROM', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'KEY', valueFrom: { secretKeyRef: { name: 'secret', key: 'key', optional: true } } },
  ],
  envFrom: [{ prefix: 'P_', configMapRef: { name: 'config' } }],
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '1Gi' } },
  volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'rose', readOnly: true }],
  livenessProbe: { httpGet: { path: '/live', port: 'http' }, initialDelaySeconds: 3 },
  readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 7 },
  startupProbe: { exec: { command: ['true'] } },
  lifecycle: { preStop: { httpGet: { path: '/stop', port: 8080 } } },
  securityContext: { capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] }, privileged: false, runAsUser: 0 },
}
const volumes = [
  { name: 'data', emptyDir: { sizeLimit: '5Mi' } },
  { name: 'secret', secret: { secretName: 'secret', defaultMode: 0, items: [{ key: 'a', path: 'b' }] } },
  { name: 'host', hostPath: { path: '/run', type: '' } },
  { name: 'claim', persistentVolumeClaim: { claimName: 'data' } },
  {
    name: 'mixed',
    projected: {
      sources: [
        { configMap: { name: 'config', optional: false } },
        { serviceAccountToken: { path: 'token', expirationSeconds: 600, audience: 'rose' } },
        { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
      ],
    },
  },
]
const podSpec = {
  serviceAccountName: 'default',
  containers: [container],
  initContainers: [{ name: 'first', image: 'registry.invalid/first:1', restartPolicy: 'Always', tty: true }],
  volumes,
  nodeSelector: { zone: 'a' },
  tolerations: [{ key: 'node', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 }],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: labels } } },
      ],
    },
  },
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: labels },
    },
  ],
  securityContext: {
    runAsNonRoot: true,
    fsGroup: 0,
    supplementalGroups: [1, 2],
    seccompProfile: { type: 'RuntimeDefault' },
  },
  hostNetwork: false,
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: 0,
  imagePullSecrets: [{ name: 'pull' }],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['rose'] }],
  dnsConfig: { options: [{ name: 'ndots', value: '3' }] },
}
const template = { metadata: { labels }, spec: podSpec }
const selector = { matchLabels: labels, matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] }
const templateOf = { ...template, metadata: { labels: { ...labels, a: 'b' } } }

const webhook = {
  name: 'rose.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  failurePolicy: 'Ignore',
  timeoutSeconds: 3,
  clientConfig: { service: { name: 'rose', namespace: 'default', path: '/x', port: 443 } },
  namespaceSelector: selector,
  rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
  matchConditions: [{ name: 'always', expression: 'true' }],
}
const rules = [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get'] }]
const subjects = [{ kind: 'ServiceAccount', name: 'rose', namespace: 'default' }]

/** An object of each built-in kind of the sandbox, with the fields that clients write. */
export const protobufSamples: Readonly<Record<string, object>> = {
  ConfigMap: { ...metadata('rose'), data: { a: 'b', empty: '' }, binaryData: { c: 'AP8=' }, immutable: true },
  Event: {
    metadata: { name: 'rose' },
    involvedObject: { kind: 'Pod', name: 'rose', namespace: 'default' },
    reason: 'Bloomed',
    message: 'It bloomed.',
    type: 'Normal',
    count: 3,
    source: { component: 'gardener', host: 'here' },
    firstTimestamp: '2026-11-21T00:00:00Z',
    lastTimestamp: '2026-11-21T00:00:01Z',
    eventTime: '2026-11-21T00:00:01.012345Z',
    action: 'Bloom',
    reportingComponent: 'example.com/gardener',
    reportingInstance: 'one',
    series: { count: 2, lastObservedTime: '2026-11-21T00:00:02.000001Z' },
  },
  Namespace: { metadata: { name: 'rose', labels } },
  Node: {
    ...metadata('rose'),
    spec: {
      providerID: 'aws:///eu-west-1a/i-1',
      podCIDRs: ['10.0.0.0/24'],
      podCIDR: '10.0.0.0/24',
      unschedulable: true,
      taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
    },
    status: {
      capacity: { cpu: '2', 'example.com/rose': '1' },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'x',
          message: '',
          lastHeartbeatTime: '2026-11-21T00:00:00Z',
        },
      ],
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: { kubeletVersion: 'v1.36.0', architecture: 'arm64' },
    },
  },
  PersistentVolumeClaim: {
    ...metadata('rose'),
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      volumeMode: 'Block',
      selector,
      resources: { requests: { storage: '10Gi' } },
      dataSource: { kind: 'PersistentVolumeClaim', name: 'other' },
    },
  },
  Pod: { ...metadata('rose'), spec: podSpec },
  Secret: { ...metadata('rose'), data: { key: 'AP8=', empty: '' }, type: 'example.com/rose' },
  Service: {
    ...metadata('rose'),
    spec: {
      selector: labels,
      ports: [
        { name: 'a', port: 80, targetPort: 'http', protocol: 'TCP' },
        { name: 'b', port: 81, targetPort: 8081 },
      ],
      sessionAffinity: 'ClientIP',
      type: 'LoadBalancer',
      loadBalancerSourceRanges: ['10.0.0.0/8'],
    },
  },
  ServiceAccount: {
    ...metadata('rose'),
    automountServiceAccountToken: false,
    secrets: [{ name: 'a' }],
    imagePullSecrets: [{ name: 'b' }],
  },
  Deployment: {
    ...metadata('rose'),
    spec: {
      replicas: 0,
      selector,
      template: templateOf,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
      minReadySeconds: 1,
      paused: true,
    },
  },
  DaemonSet: {
    ...metadata('rose'),
    spec: { selector, template: templateOf, updateStrategy: { type: 'OnDelete' } },
  },
  Lease: {
    ...metadata('rose'),
    spec: {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: '2026-11-21T00:00:00.123456Z',
      leaseTransitions: 0,
    },
  },
  PodDisruptionBudget: {
    ...metadata('rose'),
    spec: { maxUnavailable: '50%', selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  },
  NetworkPolicy: {
    ...metadata('rose'),
    spec: {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }],
          ports: [{ port: 80, endPort: 90 }],
        },
      ],
      egress: [
        {
          to: [{ namespaceSelector: selector, podSelector: selector }],
          ports: [{ protocol: 'UDP', port: 'dns' }],
        },
      ],
    },
  },
  EndpointSlice: {
    ...metadata('rose'),
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: false },
        zone: 'a',
        hints: { forZones: [{ name: 'a' }] },
      },
    ],
    ports: [{ name: '', port: 80, protocol: 'TCP' }],
  },
  PriorityClass: {
    ...metadata('rose'),
    value: -5,
    globalDefault: false,
    description: 'x',
    preemptionPolicy: 'Never',
  },
  StorageClass: {
    ...metadata('rose'),
    provisioner: 'ebs.csi.aws.com',
    parameters: { type: 'gp3' },
    allowVolumeExpansion: true,
    volumeBindingMode: 'WaitForFirstConsumer',
    mountOptions: ['debug'],
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
  },
  CSIDriver: {
    ...metadata('rose.example.com'),
    spec: {
      attachRequired: false,
      podInfoOnMount: true,
      volumeLifecycleModes: ['Persistent'],
      tokenRequests: [{ audience: 'x', expirationSeconds: 600 }],
      requiresRepublish: false,
    },
  },
  RuntimeClass: {
    ...metadata('rose'),
    handler: 'runsc',
    overhead: { podFixed: { cpu: '1m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ operator: 'Exists' }] },
  },
  MutatingAdmissionPolicy: {
    ...metadata('rose'),
    spec: {
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      variables: [{ name: 'a', expression: '1' }],
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } }],
    },
  },
  MutatingAdmissionPolicyBinding: { ...metadata('rose'), spec: { policyName: 'rose' } },
  MutatingWebhookConfiguration: {
    ...metadata('rose'),
    webhooks: [{ ...webhook, reinvocationPolicy: 'IfNeeded', objectSelector: {} }],
  },
  ValidatingWebhookConfiguration: { ...metadata('rose'), webhooks: [webhook] },
  ClusterRole: {
    ...metadata('rose'),
    rules: [...rules, { nonResourceURLs: ['/metrics'], verbs: ['get'] }],
    aggregationRule: { clusterRoleSelectors: [selector] },
  },
  Role: { ...metadata('rose'), rules },
  ClusterRoleBinding: {
    ...metadata('rose'),
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'rose' },
  },
  RoleBinding: {
    ...metadata('rose'),
    subjects,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'rose' },
  },
}
