import { MissingProgramError, outputOf } from '../../../build/programs/programs.ts'

/** A browser of the Chromium family. */
export interface BrowserProgram {
  /** Its command, or its path. */
  readonly chromium: string
}

const commands = ['chromium', 'chromium-browser', 'google-chrome']

/** Returns the browser of this machine. It is not pinned: users have any version. */
export const browserProgram = async ({ CHROMIUM }: NodeJS.ProcessEnv): Promise<BrowserProgram> => {
  for (const command of CHROMIUM === undefined ? commands : [CHROMIUM]) {
    const path = await outputOf('sh', ['-c', 'command -v "$1"', 'sh', command]).catch(() => undefined)
    if (path !== undefined) return { chromium: path }
  }
  throw new MissingProgramError(
    'there is no browser: install Chromium (on Debian: apt-get install chromium), or set CHROMIUM to its path',
  )
}
