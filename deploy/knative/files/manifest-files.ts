import { admissionParts, type DeployedPart, deployedParts } from '../deployed-objects.ts'
import type { DeployedMonitoring, Deployment } from '../deployment.ts'
import { knativeObservability, monitoringObjects } from '../monitoring/monitoring.ts'
import { yamlOf } from './yaml-of.ts'

/** A folder of manifests: the text of each file by its path, including `kustomization.yaml`. */
export type ManifestFiles = ReadonlyMap<string, string>

/** Returns `deploy/knative/base` for a deployment, or `deploy/knative/compact` if its functions share processes. */
export const baseFiles = (deployment: Deployment): ManifestFiles => filesOf(deployedParts(deployment))

/**
 * Returns `deploy/knative/admission` for a deployment. It is for two clusters, so it has no kustomization that applies
 * both.
 */
export const admissionFiles = (deployment: Deployment): ManifestFiles =>
  new Map(admissionParts(deployment).map(({ file, objects }) => [file, yamlOf(objects)]))

/** Returns `deploy/knative/monitoring/manifests` for a deployment: its monitoring in a seed of Gardener. */
export const monitoringFiles = (deployment: Deployment): ManifestFiles =>
  new Map([
    ['monitoring.yaml', yamlOf(monitoringObjects({ ...deployment, monitoring: gardenersSeed }))],
    ['knative-observability.yaml', yamlOf(knativeObservability())],
  ])

/** The namespace and name of Gardener's Prometheus of a seed. */
const gardenersSeed: DeployedMonitoring = { namespace: 'garden', prometheus: 'seed' }

const filesOf = (parts: readonly DeployedPart[]): ManifestFiles =>
  new Map([
    ...parts.map(({ file, objects }) => [file, yamlOf(objects)] as const),
    ['kustomization.yaml', kustomizationOf(parts.map(({ file }) => file))],
  ])

/** Applies the files in their order: `fifo` prevents kustomize from sorting the objects by kind. */
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
