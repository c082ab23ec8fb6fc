import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The location of Node's report file for fatal V8 errors (`--report-on-fatalerror`, `--report-directory`,
 * `--report-filename`).
 */
export type FatalReportPlace = Pick<
  NonNullable<NodeJS.Process['report']>,
  'reportOnFatalError' | 'directory' | 'filename'
>

/**
 * Returns true if the previous process in the same pod ended because V8's heap was full (exit code 134), and removes
 * its report. Such a process cannot count its own end. The kernel does not count it either, because V8's limit is below
 * the container's. The file is in `/dev/shm`, which all containers of a pod share and which outlives each of them.
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
    // Usually there is no report. A broken report is ignored.
    return false
  } finally {
    removeIfPossible(file)
  }
}

const removeIfPossible = (file: string): void => {
  try {
    rmSync(file, { force: true })
  } catch {
    // The report remains, so the next process counts the same death again.
  }
}
