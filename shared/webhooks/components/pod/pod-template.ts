import * as z from 'zod'
import { withContent, withoutItems, withoutKeys } from '../change/edits.ts'

/*
 * The parts of a pod template and its containers that webhooks read. Go reads null as absent. Everything else in an
 * object is passed on unchanged, because only changed parts are rewritten.
 */

const named = z.looseObject({ name: z.string() })
const texts = z.record(z.string(), z.string()).nullish()

const container = z.looseObject({
  name: z.string(),
  command: z.array(z.string()).nullish(),
  env: z.array(named).nullish(),
  volumeMounts: z.array(named).nullish(),
})
/** A container of a pod template: name, command, `env` and `volumeMounts`. All other fields are unknown and stay. */
export type ReviewedContainer = z.output<typeof container>

const podSpec = z.looseObject({ containers: z.array(container).nullish(), volumes: z.array(named).nullish() })
/** The spec of a pod template: its containers and volumes. All other fields are unknown and stay. */
export type PodSpec = z.output<typeof podSpec>

const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: texts, annotations: texts }).nullish(),
  spec: podSpec.nullish(),
})
/** A pod template: its labels, annotations and spec. All other fields are unknown and stay. */
export type PodTemplate = z.output<typeof podTemplate>

/** The parts of a Deployment that are read. */
export const deploymentSchema = z.looseObject({
  spec: z.looseObject({ replicas: z.int().nullish(), template: podTemplate }),
})

/** The parts of a Pod that are read. */
export const podSchema = z.looseObject({ spec: podSpec })

type Changed<T> = (value: T) => T

/**
 * Returns the Deployment with a changed pod template, or the same Deployment if `change` returns the same template.
 * Works for every object with `spec.template`, such as a DaemonSet.
 *
 * @example
 * const labelled = changeTemplate(reviewed, template => ({
 *   ...template,
 *   metadata: { ...template.metadata, labels: { ...template.metadata?.labels, cloud: 'acme' } },
 * }))
 */
export const changeTemplate = <D extends { readonly spec: { readonly template: PodTemplate } }>(
  deployment: D,
  change: Changed<PodTemplate>,
): D => {
  const template = change(deployment.spec.template)
  return template === deployment.spec.template
    ? deployment
    : { ...deployment, spec: { ...deployment.spec, template } }
}

/**
 * Returns the template with a changed pod, or the same template if `change` returns the same spec. A template without a
 * spec does not change.
 *
 * @example
 * const changed = changeTemplate(reviewed, template =>
 *   changePod(template, pod => ({ ...pod, priorityClassName: 'gardener-system-500' })),
 * )
 */
export const changePod = (template: PodTemplate, change: Changed<PodSpec>): PodTemplate => {
  if (!template.spec) return template
  const spec = change(template.spec)
  return spec === template.spec ? template : { ...template, spec }
}

/**
 * Returns the pod with a changed container. A pod without a container of this name does not change.
 *
 * @example
 * const changed = changeContainer(pod, 'kube-scheduler', container => ({ ...container, image: 'scheduler:v1' }))
 */
export const changeContainer = (pod: PodSpec, name: string, change: Changed<ReviewedContainer>): PodSpec => {
  const containers = pod.containers?.map(one => (one.name === name ? change(one) : one))
  return containers?.some((one, index) => one !== pod.containers?.[index]) ? { ...pod, containers } : pod
}

/**
 * Returns the container with a changed command: the program and its flags. A container without one has an empty
 * command.
 *
 * @example
 * const changed = changeTemplate(reviewed, template =>
 *   changePod(template, pod =>
 *     changeContainer(pod, 'kube-controller-manager', container =>
 *       changeCommand(container, command => setFlag(command, '--cloud-provider', 'external')),
 *     ),
 *   ),
 * )
 */
export const changeCommand = (
  one: ReviewedContainer,
  change: Changed<readonly string[]>,
): ReviewedContainer => {
  const command = change(one.command ?? [])
  return isSame(command, one.command ?? []) ? one : withContent(one, 'command', command)
}

export const withoutEnvironment = (one: ReviewedContainer, names: readonly string[]): ReviewedContainer =>
  withContent(one, 'env', withoutItems(one.env, names))

/** Removes the volumes of these names, and their mounts in one container. */
export const withoutVolumes = (pod: PodSpec, containerName: string, names: readonly string[]): PodSpec =>
  withContent(
    changeContainer(pod, containerName, one =>
      withContent(one, 'volumeMounts', withoutItems(one.volumeMounts, names)),
    ),
    'volumes',
    withoutItems(pod.volumes, names),
  )

export const withoutLabels = (template: PodTemplate, names: readonly string[]): PodTemplate =>
  withoutMetadata(template, 'labels', names)

export const withoutAnnotations = (template: PodTemplate, names: readonly string[]): PodTemplate =>
  withoutMetadata(template, 'annotations', names)

const withoutMetadata = (
  template: PodTemplate,
  field: 'labels' | 'annotations',
  names: readonly string[],
): PodTemplate => {
  const { metadata } = template
  if (!metadata) return template
  const changed = withContent(metadata, field, withoutKeys(metadata[field], names))
  return changed === metadata ? template : { ...template, metadata: changed }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index])
