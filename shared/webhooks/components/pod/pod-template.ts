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
export type ReviewedContainer = z.output<typeof container>

const podSpec = z.looseObject({ containers: z.array(container).nullish(), volumes: z.array(named).nullish() })
export type PodSpec = z.output<typeof podSpec>

const podTemplate = z.looseObject({
  metadata: z.looseObject({ labels: texts, annotations: texts }).nullish(),
  spec: podSpec.nullish(),
})
export type PodTemplate = z.output<typeof podTemplate>

/** The parts of a Deployment that are read. */
export const deploymentSchema = z.looseObject({
  spec: z.looseObject({ replicas: z.int().nullish(), template: podTemplate }),
})

/** The parts of a Pod that are read. */
export const podSchema = z.looseObject({ spec: podSpec })

type Changed<T> = (value: T) => T

/** Returns the Deployment with a changed pod template, or the same Deployment if nothing changes. */
export const changeTemplate = <D extends { readonly spec: { readonly template: PodTemplate } }>(
  deployment: D,
  change: Changed<PodTemplate>,
): D => {
  const template = change(deployment.spec.template)
  return template === deployment.spec.template
    ? deployment
    : { ...deployment, spec: { ...deployment.spec, template } }
}

/** Without a spec there is nothing to change. */
export const changePod = (template: PodTemplate, change: Changed<PodSpec>): PodTemplate => {
  if (!template.spec) return template
  const spec = change(template.spec)
  return spec === template.spec ? template : { ...template, spec }
}

/** Changes the container of this name. A pod without it is unchanged. */
export const changeContainer = (pod: PodSpec, name: string, change: Changed<ReviewedContainer>): PodSpec => {
  const containers = pod.containers?.map(one => (one.name === name ? change(one) : one))
  return containers?.some((one, index) => one !== pod.containers?.[index]) ? { ...pod, containers } : pod
}

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
