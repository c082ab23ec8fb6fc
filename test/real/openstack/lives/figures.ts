import type { LedOperation } from './life.ts'
import { callsText, type RecordedCloudLife } from './recordings.ts'

interface Cost extends Pick<LedOperation, 'calls' | 'wallMs' | 'cpuMs'> {
  /** The requests to Kubernetes. */
  readonly requests?: number
}

type Operations = Readonly<Partial<Record<'create' | 'idle' | 'delete', Cost>>>

/** Collects the cost of lives beside that of the Go extension, and prints it as a table. */
export const createFigures = (kind: string) => {
  const rows: Record<string, string>[] = []
  return {
    add: (name: string, operations: Operations, recorded?: RecordedCloudLife): void => {
      for (const [operation, { calls, wallMs, cpuMs, requests }] of Object.entries(operations)) {
        const theirs = recorded?.calls[operation as keyof Operations]
        rows.push({
          case: name,
          operation,
          calls: callsText(calls),
          ...(theirs && { 'of Go': callsText(theirs) }),
          ...(requests !== undefined && { 'Kubernetes requests': `${requests}` }),
          'wall ms': wallMs.toFixed(0),
          'CPU ms': cpuMs.toFixed(0),
        })
      }
    },
    print: (): void => {
      console.info(`${kind}: calls, with logins`)
      console.table(rows)
    },
  }
}
