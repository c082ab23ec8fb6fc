import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where Node writes a report when V8 ends the process: its flags `--report-on-fatalerror`, `--report-directory`, `--report-filename`. */
export type FatalReportPlace = Pick<
  NonNullable<NodeJS.Process['report']>,
  'reportOnFatalError' | 'directory' | 'filename'
>

/**
 * Returns true if the process before this one in the same pod ended because V8's heap was full (exit code 134), and removes its
 * report. A process that ends so can count nothing itself, and the kernel counts nothing, because V8's limit is below the one of
 * the container. The file is in `/dev/shm`, which all containers of a pod share and which outlives each of them.
 */
export const takeOutOfMemory = (place: FatalReportPlace | undefined = process.report): boolean => {
  if (place === undefined || !place.reportOnFatalError || place.directory === '' || place.filename === '')
    return false
  const file = join(place.directory, place.filename)
  try {
    const { header } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly header?: { readonly trigger?: unknown }
    }
    return header?.trigger === 'OOMError'
  } catch {
    // Most often there is none. A broken one says nothing.
    return false
  } finally {
    removeIfPossible(file)
  }
}

const removeIfPossible = (file: string): void => {
  try {
    rmSync(file, { force: true })
  } catch {
    // The next process reads it again: it counts once too often.
  }
}
