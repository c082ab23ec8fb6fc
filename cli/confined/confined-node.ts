/**
 * The arguments and the environment of a Node process that can read files, but cannot write, start programs or threads, or
 * load addons. The program itself calls `confineProcess` to close the network.
 */
export const confinedNode = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string | undefined>> } => {
  // Options in the environment could restore permissions, and the process cannot write a cache.
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...others } = env
  return {
    args: ['--permission', '--allow-fs-read=*', '--disable-warning=ExperimentalWarning'],
    env: others,
  }
}
