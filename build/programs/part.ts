/**
 * Programs that the suites need: where they are, or a sentence that says what is missing and how to get it.
 * Plain data, since the set-up hands it to the processes of the suites.
 */
export type ProgramPart<Programs extends object> = Programs | { readonly missing: string }

/** What the machine lacks: the suites that need it are skipped, except where everything is required. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError'
}

/** Runs `find`; a `MissingProgramError` becomes a missing part unless all parts are `required`. */
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
