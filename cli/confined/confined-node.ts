/**
 * The arguments and the environment of a Node process that reads files and changes nothing: no writes, programs, threads
 * or addons. `confineProcess`, called by the program itself, closes the network.
 */
export const confinedNode = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> } => {
  // Options of the environment could give the permissions back, and a cache cannot be written.
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...others } = env
  return {
    args: ['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning'],
    env: others,
  }
}
