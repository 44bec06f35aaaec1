// Plain JavaScript, loaded before main.ts: a Node that is too old cannot read TypeScript, not even to say so.
const needed = 24;
if (Number(process.versions.node.split('.')[0]) < needed) {
  console.error(
    `Waybill runs on the Node ${needed} that its install brings along, but this is Node ${process.version}: the install did not finish.
Run \`npx -y pnpm@12 install\`, mend what it complains about, and start again.`,
  );
  process.exit(1);
}
