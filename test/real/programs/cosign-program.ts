import { findCosign } from '../../../build/release/release.ts'

/** The path of cosign, which signs releases and checks them. */
export interface CosignProgram {
  readonly cosign: string
}

/** Returns cosign of `build/release/cosign/go.mod`. */
export const cosignProgram = async (environment: NodeJS.ProcessEnv): Promise<CosignProgram> => ({
  cosign: await findCosign(environment),
})
