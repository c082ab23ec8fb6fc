import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BesidePart, besideParts } from './beside.ts'

/** What is not compared, and what has to be there and is not. */
export interface Missing {
  /** A sentence for each folder that is not there. */
  readonly skipped: readonly string[]
  /** Files that are missing although the folder of all of them is there. */
  readonly lost: readonly string[]
}

/** Looks into the folder beside the repository. Without the folder itself there is nothing that could be lost. */
export const missingIn = (folder: string): Missing => {
  const parts = Object.keys(besideParts) as BesidePart[]
  const lost = parts.flatMap(part =>
    besideParts[part].files.map(file => join(part, file)).filter(file => !existsSync(join(folder, file))),
  )
  return {
    skipped: parts
      .filter(part => !existsSync(join(folder, part)))
      .map(part => `comparisons with ${besideParts[part].what}: there is no ${join(folder, part)}`),
    lost: existsSync(folder) ? lost : [],
  }
}
