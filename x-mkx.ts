import writeXlsxFile from 'write-excel-file/node';
import { writeFileSync } from 'node:fs';
const head='id,aircraft,pilot,instructor,started,completed,start Hobbs,end Hobbs,start tach,end tach,instructor in,instructor out,ground hours,refueled,oil quarts,squawks'.split(',').map(value=>({value}));
const rows:any[]=[head];
for(let i=0;i<50000;i++){const s=new Date(Date.UTC(2016,0,1)+i*5400e3);const e=new Date(+s+4800e3);const f='yyyy-mm-dd hh:mm';
rows.push([{value:i,type:Number},{value:'N'+(100+i%30)+'FL'},{value:'anna'+i%80},{value:'ivan'},{value:s,type:Date,format:f},{value:e,type:Date,format:f},...[0,1.2,0,1].map(x=>({value:Math.round((1000+i*1.2+x)*10)/10,type:Number})),{value:'09:00'},{value:'10:30'},{value:0.25,type:Number},{value:'y'},null,{value:'Some notes '+i}]);}
writeFileSync('x.xlsx', await (await writeXlsxFile(rows)).toBuffer());
