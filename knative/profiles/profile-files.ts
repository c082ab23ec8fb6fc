import { isDeepStrictEqual } from 'node:util'
import { stringify } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { deployedParts } from '../deployed-objects.ts'
import type { Deployment } from '../deployment.ts'
import { componentKustomization } from '../files/component-kustomization.ts'
import type { ManifestFiles } from '../files/manifest-files.ts'
import { yamlOf } from '../files/yaml-of.ts'
import type { Explained } from '../objects/explained.ts'
import type { ProfileName } from './broker-profile.ts'
import { withProfile } from './with-profile.ts'

interface Patch {
  readonly path?: string
  readonly patch?: string
  readonly target: { readonly kind: string; readonly name: string }
}

/**
 * Returns `knative/profiles/<name>`: a component of kustomize that changes `knative/base` to that class
 * of broker. Additions are in `config.yaml`, the Broker is in `broker.yaml`, and Triggers are changed by patches.
 */
export const profileFiles = (deployment: Deployment, name: ProfileName): ManifestFiles => {
  const base = new Map(objectsOf(deployment).map(entry => [idOf(entry.object), entry.object]))
  const changed = objectsOf(withProfile(deployment, name)).filter(
    ({ object }) => !isDeepStrictEqual(object, base.get(idOf(object))),
  )
  const added = changed.filter(({ object }) => !base.has(idOf(object)))
  const brokers = changed.filter(({ object }) => object.kind === 'Broker')
  const triggers = changed.map(({ object }) => object).filter(({ kind }) => kind === 'Trigger')
  if (added.length + brokers.length + triggers.length !== changed.length)
    throw new Error(`the profile ${name} changes more than a Broker and its Triggers`)
  const patches: Patch[] = [
    ...brokers.map(({ object }) => ({ path: 'broker.yaml', target: targetOf([object]) })),
    ...[...Map.groupBy(triggers, annotationsOf).values()].map(alike => ({
      patch: annotationPatch(alike),
      target: targetOf(alike),
    })),
  ]
  return new Map([
    ...(added.length === 0 ? [] : [['config.yaml', yamlOf(added)] as const]),
    ['broker.yaml', yamlOf(brokers)],
    [
      'kustomization.yaml',
      componentKustomization({
        name,
        why: 'A component of a kustomization on knative/base.',
        ...(added.length > 0 && { resources: ['config.yaml'] }),
        patches,
      }),
    ],
  ])
}

const objectsOf = (deployment: Deployment): readonly Explained[] =>
  deployedParts(deployment).flatMap(({ objects }) => objects)

const idOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name}`

/** Names of targets are regular expressions. */
const targetOf = (objects: readonly KubernetesObject[]): Patch['target'] => ({
  kind: objects[0]?.kind ?? '',
  name: objects.map(({ metadata }) => metadata.name).join('|'),
})

const annotationsOf = ({ metadata }: KubernetesObject): string => JSON.stringify(metadata.annotations)

/** The name is a placeholder: the target selects the objects. */
const annotationPatch = ([first]: readonly KubernetesObject[]): string =>
  stringify({
    apiVersion: first?.apiVersion,
    kind: first?.kind,
    metadata: { name: 'any', annotations: first?.metadata.annotations },
  })
