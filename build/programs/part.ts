/**
 * The paths of programs that suites need, or a sentence that names the missing one and how to install it. Plain data,
 * because the set-up passes it to other processes.
 */
export type ProgramPart<Programs extends object> = Programs | { readonly missing: string }

/** A missing program. The suites that need it are skipped, unless everything is required. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError'
}

/** Runs `find`. A `MissingProgramError` becomes a missing part, unless all parts are `required`. */
export const partOf = async <Programs extends object>(
  find: () => Promise<Programs>,
  required: boolean,
): Promise<ProgramPart<Programs>> => {
  try {
    return await find()
  } catch (error) {
    if (required || !(error instanceof MissingProgramError)) throw error
    return { missing: error.message }
  }
}
