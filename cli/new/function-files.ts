import { parseAllDocuments } from 'yaml'
import { annotations } from '../../shared/contract/constants.ts'
import { buildEvent, type ExtensionEvent, eventJson } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { dueObservation, observationEvent } from '../../shared/secondary/secondary.ts'
import { importsOfLibrary } from './imports-of-library.ts'
import type { NewFunction } from './new-arguments.ts'
import type { TemplateFiles } from './read-template.ts'

const template = { name: (kind: string) => `acme-${kind.toLowerCase()}`, type: /\bacme\b/g }

/** The place of a function: in a clone of this repository it imports the rooms, elsewhere the library. */
export type FunctionPlace = 'clone' | 'project'

/** Returns the files of a new function by name: the template with the new names, and the event of its example. */
export const functionFiles = (files: TemplateFiles, fn: NewFunction, place: FunctionPlace): TemplateFiles => {
  const { kind, name, type, classes } = fn
  const own = (text: string): string =>
    text
      .split(template.name(kind))
      .map(part => part.replaceAll(template.type, type))
      .join(name)
  const written = Object.entries(files).map(([file, text]): readonly [string, string] => {
    if (file.endsWith('.yaml')) return [file, withClass(own(text), classes)]
    // Shared files of templates are copied beside the function.
    const beside = own(text).replaceAll(/'\.\.\/\w+\/(\w+\.ts)'/g, "'./$1'")
    const classed = beside.replace(
      /classes: \[[^[\]]{0,99}\]/,
      `classes: [${classes.map(one => `'${one}'`).join(', ')}]`,
    )
    return [file, place === 'clone' ? classed : importsOfLibrary(classed)]
  })
  const all = Object.fromEntries(written)
  return { ...all, 'event.json': eventOf(all['example.yaml'] ?? '', fn) }
}

/** Gives the object of an example a class that the function serves. */
const withClass = (yaml: string, classes: readonly string[]): string => {
  if (classes.includes('shoot')) return yaml
  const at = yaml.lastIndexOf('\nspec:\n') + '\nspec:\n'.length
  return `${yaml.slice(0, at)}  class: ${classes[0]}\n${yaml.slice(at)}`
}

/** Returns the event that the bridge would send for the last object of an example. */
const eventOf = (yaml: string, { kind, name, type, role }: NewFunction): string => {
  const object: KubernetesObject = [...parseAllDocuments(yaml)].at(-1)?.toJS()
  const { [annotations.timestamp]: asked = '' } = object.metadata.annotations ?? {}
  const now = Date.parse(asked)
  const metadata = {
    ...object.metadata,
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d01',
    resourceVersion: '1041',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  const made = { ...object, metadata }
  const about = { object: made, kind, source: '/seeds/sandbox', now }
  const written = (event: ExtensionEvent) => `${JSON.stringify(eventJson(event), null, 2)}\n`
  if (role === 'secondary') {
    const work = dueObservation(kind, made, name)
    if (work.kind !== 'emit') throw new Error(`the example of ${kind} is nothing to observe`)
    return written(observationEvent({ ...about, route: { name, type }, work }))
  }
  const work = dueWork(kind, made, now)
  if (work.kind !== 'emit') throw new Error(`the example of ${kind} requests no operation`)
  const { operation, cause, reason, attempt } = work
  return written(buildEvent({ ...about, operation, cause, reason, attempt }))
}
