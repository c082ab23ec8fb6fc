import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import { type JournalEntry, type JournalReader, journalReader } from '../../../shared/journal/journal.ts'
import {
  createKubernetes,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { JournalOutput } from '../file/journal-output.ts'
import { type RecordOptions, recordSeed } from '../record-seed.ts'

/** An API server in memory with these objects. */
export const seedWith = (objects: readonly KubernetesObject[]) => {
  const server = createApiServer({
    clock: systemClock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds(), ...objects],
  })
  return { server, kubernetes: createKubernetes({ transport: server.transport, clock: systemClock }) }
}

/** Refuses verbs on resources, as RBAC does. */
export const without = (
  kubernetes: Kubernetes,
  refused: (verb: 'list' | 'watch', plural: string) => boolean,
) => {
  const check = (verb: 'list' | 'watch', plural: string): void => {
    if (refused(verb, plural)) throw new KubernetesError(403, 'Forbidden', `cannot ${verb} ${plural}`)
  }
  return {
    list: async (...[resource, options]: Parameters<Kubernetes['list']>) => {
      check('list', resource.plural)
      return kubernetes.list(resource, options)
    },
    watch: async function* (...[resource, options]: Parameters<Kubernetes['watch']>) {
      check('watch', resource.plural)
      yield* kubernetes.watch(resource, options)
    },
  }
}

/** A running recording in memory. */
export const startRecording = (options: Omit<RecordOptions, 'output' | 'clock' | 'by'>) => {
  const ended = new AbortController()
  const entries: JournalEntry[] = []
  let text = ''
  let changed = Promise.withResolvers<void>()
  const reader: JournalReader = journalReader(entry => entries.push(entry))
  const output: JournalOutput = {
    write: line => {
      text += line
      reader.push(line)
      changed.resolve()
      changed = Promise.withResolvers()
    },
    flushed: async () => {},
    size: () => Buffer.byteLength(text),
    close: async () => {},
  }
  const recorded = recordSeed({ clock: systemClock, by: 'test', output, ...options }, ended.signal)
  return {
    entries,
    text: () => text,
    problems: () => reader.end().problems,
    recorded,
    /** Waits for an entry. */
    until: async (isThere: (entry: JournalEntry) => boolean): Promise<void> => {
      while (!entries.some(isThere)) await changed.promise
    },
    end: () => {
      ended.abort()
      return recorded
    },
  }
}
