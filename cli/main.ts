export const main = async (argv: string[]): Promise<void> => {
  console.log(process.version, argv.slice(2))
}
