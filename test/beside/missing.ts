import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BesidePart, besideParts } from './beside.ts'

/** The comparisons that are skipped, and the required files that are missing. */
export interface Missing {
  /** One sentence for each missing folder. */
  readonly skipped: readonly string[]
  /** Missing files in an existing folder. */
  readonly lost: readonly string[]
}

/** Checks the folder beside the repository. If the folder itself is missing, nothing is lost. */
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
