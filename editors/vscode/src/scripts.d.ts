/** The script of the panel, bundled, as a text: see build.mjs. */
declare module "gnomon:panel" {
  const script: string;
  export default script;
}
