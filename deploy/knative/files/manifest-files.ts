import { admissionParts, type DeployedPart, deployedParts } from '../deployed-objects.ts'
import type { DeployedMonitoring, Deployment } from '../deployment.ts'
import { knativeObservability, monitoringObjects } from '../monitoring/monitoring.ts'
import { yamlOf } from './yaml-of.ts'

/** A folder of manifests: the text of each file by its path, `kustomization.yaml` among them. */
export type ManifestFiles = ReadonlyMap<string, string>

/** `deploy/knative/base` for a deployment, and `deploy/knative/compact` for one whose functions share processes. */
export const baseFiles = (deployment: Deployment): ManifestFiles => filesOf(deployedParts(deployment))

/** `deploy/knative/admission` for a deployment: for two clusters, so nothing applies both at once. */
export const admissionFiles = (deployment: Deployment): ManifestFiles =>
  new Map(admissionParts(deployment).map(({ file, objects }) => [file, yamlOf(objects)]))

/** `deploy/knative/monitoring/manifests` for a deployment: what watches it, in a seed of Gardener. */
export const monitoringFiles = (deployment: Deployment): ManifestFiles =>
  new Map([
    ['monitoring.yaml', yamlOf(monitoringObjects({ ...deployment, monitoring: gardenersSeed }))],
    ['knative-observability.yaml', yamlOf(knativeObservability())],
  ])

/** Where Gardener's Prometheus of a seed looks. */
const gardenersSeed: DeployedMonitoring = { namespace: 'garden', prometheus: 'seed' }

const filesOf = (parts: readonly DeployedPart[]): ManifestFiles =>
  new Map([
    ...parts.map(({ file, objects }) => [file, yamlOf(objects)] as const),
    ['kustomization.yaml', kustomizationOf(parts.map(({ file }) => file))],
  ])

/** Applies the files in their order: `fifo` keeps kustomize from sorting the objects by kind. */
const kustomizationOf = (files: readonly string[]): string =>
  yamlOf([
    {
      object: {
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        metadata: { name: 'trellis' },
        resources: files,
        sortOptions: { order: 'fifo' },
      },
      comments: [
        [[], 'In the order in which nothing fails on the way: kubectl apply -k. Made by make manifests.'],
      ],
    },
  ])
