import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  allow,
  clusterRole,
  clusterRoleBinding,
  systemNamespace as namespace,
  serviceAccount,
} from '../../../shared/manifests/manifests.ts'

const name = 'local-path-provisioner'
const account = 'local-path-provisioner-service-account'
const config = 'local-path-config'
const registry = 'gcr.io/k8s-staging-kind'
const helperImage = `${registry}/local-path-helper:v20240213-749005b2`

/** Creates volumes from directories of the node, in the shoot. */
export const localPathProvisioner: readonly KubernetesObject[] = [
  serviceAccount(namespace, account),
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: config, namespace },
    data: {
      'config.json':
        '{\n  "nodePathMap":[{\n      "node":"DEFAULT_PATH_FOR_NON_LISTED_NODES",\n      "paths":["/var/lib/local-path-provisioner"]\n  }]\n}',
      'helperPod.yaml': `apiVersion: v1\nkind: Pod\nmetadata:\n  name: helper-pod\nspec:\n  containers:\n  - name: helper-pod\n    image: ${helperImage}\n    imagePullPolicy: IfNotPresent`,
      setup: '#!/bin/sh\nset -eu\nmkdir -m 0777 -p "$VOL_DIR"',
      teardown: '#!/bin/sh\nset -eu\nrm -rf "$VOL_DIR"',
    },
  },
  clusterRole(name, [
    allow('', ['nodes', 'persistentvolumeclaims', 'configmaps'], ['get', 'list', 'watch']),
    allow('', ['endpoints', 'persistentvolumes', 'pods'], ['*']),
    allow('', 'events', ['create', 'patch']),
    allow('storage.k8s.io', 'storageclasses', ['get', 'list', 'watch']),
  ]),
  clusterRoleBinding({ name, account }),
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      revisionHistoryLimit: 2,
      selector: { matchLabels: { app: name } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
      template: {
        metadata: {
          labels: {
            app: name,
            'networking.gardener.cloud/to-apiserver': 'allowed',
            'networking.gardener.cloud/to-dns': 'allowed',
          },
        },
        spec: {
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: account,
          containers: [
            {
              name,
              image: `${registry}/local-path-provisioner:v20240513-b9bba138`,
              imagePullPolicy: 'IfNotPresent',
              command: [
                name,
                '--debug',
                'start',
                '--helper-image',
                helperImage,
                '--config',
                '/etc/config/config.json',
              ],
              env: [
                {
                  name: 'POD_NAMESPACE',
                  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
                },
              ],
              securityContext: { allowPrivilegeEscalation: false },
              volumeMounts: [{ mountPath: '/etc/config/', name: 'config-volume' }],
            },
          ],
          volumes: [{ configMap: { defaultMode: 420, name: config }, name: 'config-volume' }],
        },
      },
    },
  },
]

export const storageClass: KubernetesObject = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'default',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true', defaultVolumeType: 'local' },
  },
  provisioner: 'rancher.io/local-path',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
}
