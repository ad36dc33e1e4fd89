import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { readImportTable } from '#app/domain/imports/files/read-import-table.server.ts';
import { guessColumns } from '#app/domain/imports/columns/guess-columns.ts';
import { guessKind } from '#app/domain/imports/columns/guess-kind.ts';
import { guessFormats } from '#app/domain/imports/columns/guess-formats.ts';
import { parseRows, parseRowsInTurns } from '#app/domain/imports/values/parse-rows.server.ts';
const header=readFileSync('tests/fixtures/imports/flightline.csv','utf8').split('\r\n')[0];
const lines=[header];
for(let i=0;i<50000;i++){ const s=new Date(Date.UTC(2016,0,1)+i*5400e3); const e=new Date(+s+4800e3); const iso=(d:Date)=>d.toISOString().slice(0,19)+'+00:00'; const a=(1000+i*1.2).toFixed(1),b=(1001.2+i*1.2).toFixed(1);
lines.push([50000-i,'N'+(100+i%30)+'FL','Cessna','172S','anna'+i%80,'anna@example.com',i%2?'ivan':'','Completed',process.argv[3]?`${s.getUTCMonth()+1}/${s.getUTCDate()}/${s.getUTCFullYear()} ${s.toISOString().slice(11,16)}`:iso(s),process.argv[3]?`${e.getUTCMonth()+1}/${e.getUTCDate()}/${e.getUTCFullYear()} ${e.toISOString().slice(11,16)}`:iso(e),'1.3',a,b,'1.2',a,b,'1.2',i%2?'09:00':'',i%2?'10:30':'','', '0.25','y','n','','"Some notes, with a comma '+i+'"','n','','',iso(s),iso(e),'1.3','4','','1','N512FL'].join(','));}
const file=process.argv[2]==='xlsx'? readFileSync('/work/wt/read/x.xlsx') : Buffer.from(lines.join('\r\n')+'\r\n');
console.log('bytes',file.length);
const h=monitorEventLoopDelay({resolution:1}); 
import { threadTime } from '#tests/support/thread-time.ts';
let longest=0; let last=0; let on=false;
function tick(){ const n=threadTime(); longest=Math.max(longest,n-last); if(on){ last=threadTime(); setImmediate(tick);} }
async function stage(name:string,f:()=>any){ longest=0; last=threadTime(); on=true; setImmediate(tick); await new Promise(r=>setImmediate(r)); const c=process.cpuUsage(), w=performance.now(); const r=await f(); await new Promise(r=>setImmediate(r)); on=false; await new Promise(r=>setTimeout(r,5)); const u=process.cpuUsage(c); console.log(name,'cpu s',((u.user+u.system)/1e6).toFixed(2),'wall s',((performance.now()-w)/1e3).toFixed(2),'longest hold ms',longest.toFixed(0)); return r;}
for (let round=0; round<2; round++){
const table=await stage('read',()=>readImportTable(file,'a.csv'));
const kind=await stage('kind',()=>guessKind(table));
const cols=await stage('guess',()=>guessColumns('flights',table));
const formats=await stage('formats',()=>guessFormats(table,cols));
const p=await stage('parse in turns',()=>parseRowsInTurns('flights',table,cols,formats,{timeZone:'America/New_York'}));
const q=await stage('parse',()=>parseRows('flights',table,cols,formats,{timeZone:'America/New_York'}));
console.log(kind,p.records.length,p.problems.slice(0,3),p.problems.length,process.memoryUsage().rss/1e6|0,'MB');
}
