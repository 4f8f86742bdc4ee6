<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Attention</name>
    <message>
        <source>The run failed: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run has finished.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BucketView</name>
    <message>
        <source>Pictures by bucket</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Aspect</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Batches an epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeated to fill a batch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter shows the pictures of this size</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CaptionBook</name>
    <message>
        <source>caption</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was changed by another program and is left as it is there; press Scan again to read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can&apos;t be removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can&apos;t be written: %2. The caption is kept here until the program ends.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CaptionEditor</name>
    <message>
        <source>Caption</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caption of the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the picture shows; tags are separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to do with the captions of the chosen pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tag at the end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add tag in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put text before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put text after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sort tags by frequency</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags in use, the most frequent first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>comes with Mantissa; copy the folder to change it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Apply to all %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Apply to %n chosen</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Enter shows the pictures with this tag</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Choose a run above to see its curves, settings and samples.
Choose several, with Ctrl or Shift, to compare them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results and settings of the chosen runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt of the samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differing setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recipe of a chosen run can&apos;t be read by this version.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ from the defaults.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The recipes are the same.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ between the runs.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>No sample of this prompt up to this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CropView</name>
    <message>
        <source>What training keeps of the picture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 by %2 pixels are scaled to %3 by %4 and cut to %5 by %6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a picture on the left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This picture can&apos;t be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message>
        <source>can&apos;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No image folder is chosen.
Add one under “This run” in Setup; its pictures, captions and buckets are shown here before you train.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking through the folders…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scan again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only %1 × %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search names and captions (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search names and captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all pictures again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look through the folders anew (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that training leaves out, and why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looked at %1 of %2 pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no picture to train on in these folders.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 × %2, trained as %3 × %4; %5 % of it is kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>; enlarged %1 times</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Buckets %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left out %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n without a caption</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DatasetModel</name>
    <message>
        <source>no caption</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DevicePage</name>
    <message>
        <source>%1 free of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the devices anew (Ctrl+R)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything on this page, for a report (Ctrl+C)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking at the devices…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Devices of this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unknown processor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>NVIDIA GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory in use of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute capability</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Driver</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Instruction sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Disk in use: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Versions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DiffTable</name>
    <message>
        <source>No difference.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2 from %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sets %1 to %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ElideLabel</name>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EngineClient</name>
    <message>
        <source>This computer ran out of memory. Close other programs, or lower the batch size or the resolution.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine stopped unexpectedly, without saying why.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 lines are left out here; log.txt in the run&apos;s folder has them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExponentHistogram</name>
    <message>
        <source>Histogram of exponents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 values that are not zero; %2 stored as zero, %3 with fewer digits, %4 too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a cell of the map to see how that tensor&apos;s numbers are spread.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>green: %1 holds it · hatched: with fewer digits · red: lost</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed from the default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Help on %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run that is going on can take this over: Apply changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Has an effect only with %1 = %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindingCard</name>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adjusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show %1 in the form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the setting %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write into the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply this fix</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply the fix of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore for this preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore the warning %1 for this preset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FirstRunWizard</name>
    <message>
        <source>Welcome to Mantissa</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which model do you want to teach?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A .safetensors file or a diffusers folder of SDXL, Stable Diffusion 1.5 or PixArt. The demo is a tiny model that comes with Mantissa and trains in minutes on any computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which pictures shall it learn from?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders of pictures; 10 to 40 are enough for a person, an object or a style. A caption stands in a text file of the same name. The Data page helps to write them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is it for?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This chooses a recipe. Everything in it can be changed afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Goals</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin with the defaults; this is not shown again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Done</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Format</name>
    <message>
        <source>%1 d %2 h</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Underflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 doublings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scaled or zero</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8 operand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>FP8 gradient operand</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stored weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapter gradient</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DoRA magnitude</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthTable</name>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HealthView</name>
    <message>
        <source>Legend of the colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>✕ not finite   – not looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Heat map of layers over steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every few steps each layer&apos;s numbers are looked at, and shown here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health of every tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the values that are stored as zero and were not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the values beyond the format&apos;s largest number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Doublings left before the largest value overflows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signal to rounding noise: about 6 dB for every bit kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measure: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worst tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of the layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As they run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Worst first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only layers whose name holds this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a table in place of the map</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor of this layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Underflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fewer digits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1, first tensor that was not finite: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No cell chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 at step %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2 not finite</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HeatMap</name>
    <message>
        <source>Arrow keys move from cell to cell; the table holds the same.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HistoryPage</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No runs yet.
Each run that you start, here or with the mantissa command, is listed on this page.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the run on the Train page; one that goes on is watched live</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on from the run&apos;s last checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put the run&apos;s recipe into Setup, for another run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every number of every step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curves as PNG…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss curves of the chosen runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report as Markdown…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Result, settings, curve and warnings of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the chosen runs to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search runs (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs in a state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All states</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Going on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only runs with a tag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the run to a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>These folders lie outside the runs folder and stay: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The trash holds them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>mapped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>assumed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, read as %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1. Nothing has been changed yet; paths and commands of the file are never taken over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes and report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes to this preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This preset now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changes (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search keys, or ignored, changed, unknown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Report of every key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every key (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply the import to the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close without importing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Becomes, or why not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> (line %1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JobPanel</name>
    <message>
        <source>This run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>.safetensors file or diffusers folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders with images and their captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Image folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a new folder among the runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue a run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start anew, or a run&apos;s folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run to continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a base model first, or press Demo beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder with images first, or press Demo below the list.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LogView</name>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least level shown in the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Info and above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the engine says appears here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets, configurations, adapters (*.json *.toml *.safetensors);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presets (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop, save and quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sample rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 % · </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finishing step…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>finishing step %1, %2 s so far; it ends by itself</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model stays loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 it/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s/it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ETA %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 steps not plotted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished. The adapter is %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped by you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the changes to “%1”?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going on. Stop it, save it, and quit?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The device report is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>● not saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start from the defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Open preset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in &amp;presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Save preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save preset &amp;as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Copy preset as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset is on the clipboard.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Paste preset from text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset &amp;everything to the defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Search settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the built-in &amp;demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Setup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>H&amp;istory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>D&amp;evice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all &amp;advanced settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fix of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The fix of %1 is in the draft of the preset; the next run will use it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run takes the changed settings over after this step.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is at work: another strength can be rendered when the run has ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is checking the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another strength needs the adapter file of a finished run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run&apos;s preset has no prompt %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Can&apos;t make the folder %1; choose a place you may write to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All %1 steps are done. Raise their number, then press Start: the run goes on from where it ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs that start one after another</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Queue · %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added to the queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Added to the queue. Start it on the Train page, under Queue.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start is blocked. %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the fixes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply all changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close without changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to fix.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix all safe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixing all that is safe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a &amp;built-in preset…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit preset as &amp;text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Co&amp;mpare presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>import of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 carries no preset; it is now the base model of this run.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MarkerCard</name>
    <message>
        <source>What happened at a marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next marker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First tensor that was not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Layer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest value before it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none entered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest that %1 holds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What to change</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · the loss was not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The optimizer took no step with it: the weights are those of step %1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>(see the log)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · gradients overflowed, step skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · gradients were not finite, step skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At the loss scale %1 a gradient left the range of its format. The step was skipped and the scale halved; the weights were not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step was skipped; the weights were not touched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to change: a few skips at the start, and one after each doubling of the scale, are how it is found.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · samples rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show them</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageBar</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ObjectsEditor</name>
    <message>
        <source>Add</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove %1 %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PathEdit</name>
    <message>
        <source>Clear %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse for %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PathListEdit</name>
    <message>
        <source>Add folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the built-in demo as %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the built-in demo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>Loading the base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing images</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing captions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rendering samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Comparing with FP32</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PicturePane</name>
    <message>
        <source>%1 can&apos;t be read: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample picture %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split: %1 on the left, %2 on the right; the arrow keys move the line between them.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PinsEditor</name>
    <message>
        <source>Add pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>module path, e.g. unet.conv_*</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: remove</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanLine</name>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>adapter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanWatcher</name>
    <message>
        <source>Choose a base model to see the memory that this needs.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlotWidget</name>
    <message>
        <source>Show the whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as picture…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save values as CSV…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smoothed </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>▲ step %1: %2 is %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plot of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys move, plus and minus zoom, 0 shows the whole run. Wheel zooms, drag moves, Shift and drag zooms into a box, double click resets. N and P go to the next and previous marker, Enter opens it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlotsPanel</name>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of every step, and smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before clipping, with the bound that it is clipped to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>And the steps that it made the optimizer skip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of every part that is trained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost updates, %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the adapter&apos;s numbers that an update was too small to move</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update / weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How far a step moves the adapter, relative to its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The loss of every step appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clip</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>scale</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>denoiser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text encoder 1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text encoder 2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ratio</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps that the smoothed line averages over; at the left end there is none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>≈ %1 steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log y</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Logarithmic axis for loss, gradient norm and update / weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignore outliers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the axis to most of the values; lines still run out at its edge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the whole run and follow it (double click)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose which plots are shown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures (*.png)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PrecisionPanel</name>
    <message>
        <source>Preflight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check precision and memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works out memory, precision and findings with the images of this run, without training (F4)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not checked yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory needed of what is available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix all safe…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix everything that is refused or adjusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shows every change before anything is applied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show ignored warnings again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>W: frozen weights of the UNet · A: activations · g: gradients · m,v: optimizer state · clip: gradient clipping · scale: loss scaling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Types by part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show number types by part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Part</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Modules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kept in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ignored · show again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready: nothing stands against this run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 error blocks Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 errors block Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs %1, and %2 are available: %3 too much</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs %1 of %2 available</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>weights %1 · activations %2 · adapter and optimizer %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This would make it fit:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 (needs %2)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make it fit: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetDiff</name>
    <message>
        <source>Compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take every value of the other preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Differences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>taking everything from %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last saved: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the same</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetDocument</name>
    <message>
        <source>change of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>paste</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetPicker</name>
    <message>
        <source>Try it out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By method</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Built-in presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search names, tags, texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the preset changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the selected preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close without choosing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No preset matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This preset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetTextView</name>
    <message>
        <source>All settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show settings with their default values too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace the text with the clipboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Revert</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give up the edited text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply the edited text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply (Ctrl+Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset as text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited, not applied yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edited here; the form has changed too. Apply replaces the form&apos;s values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What differs from the defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line %1: %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>editing as text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message>
        <source>Queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing waits.
Set up a run and add it here; the runs then start one after another, and one that fails does not hold up the next.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs of the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Places</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the chosen run up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the chosen run down</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the chosen run from the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove every run that has ended from the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Hold the queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run that is going on goes on; no other starts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the waiting runs one after another</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message>
        <source>Check</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Work out memory and precision without training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pause after this step; the model stays loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop &amp;&amp; save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after this step and save, so that the run can be continued</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop after this step; what was saved before stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a checkpoint after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sample now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Render the sample prompts after this step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this preset and these paths at the end of the queue of runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Apply changes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number of steps, saving and sampling intervals may change while a run goes on: take them over from the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what the run wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Set this run up to go on with more steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare this run with others, on the History page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunBar</name>
    <message>
        <source>Progress of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State of the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunData</name>
    <message>
        <source>the loss was not a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>overflow at this loss scale; skipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>skipped: gradients were not finite</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunLibrary</name>
    <message>
        <source>%1 is going on; stop it first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: its folder %2 can&apos;t be moved to the trash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 can&apos;t be brought back to %2; it is still in the trash.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunModel</name>
    <message>
        <source>Preparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunPage</name>
    <message>
        <source>Curves</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, gradients, learning rate and updates over the steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Health</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What every layer&apos;s numbers lose in the formats they are kept in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What the engine said</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest line of the log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest sample · step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Newest sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, smoothed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Lost updates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sample yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy a report of the failure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume from checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume from the last good checkpoint</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress of this phase</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1, clipped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused by precision check %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: values were no longer finite</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of disk space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The run could not go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the setting %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last good checkpoint: step %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mantissa run report</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last step: %1, loss %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last good checkpoint: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System: %1, %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunQueue</name>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The studio ended while this run was going on; History can resume it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SampleGrid</name>
    <message>
        <source>No samples yet.
Add sample prompts in Setup, then start a run or press Sample now (F8).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples by prompt and step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a sample on the left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step of the sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before / after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the picture beside an earlier one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step to compare with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strength of the adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much of the finished adapter is added to the base model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Render</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a sample first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the rendering</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Render this prompt at the chosen strength</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step 0, before training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>strength %1 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt %1 · %2 of the finished adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step %1 · prompt %2</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SampleModel</name>
    <message>
        <source>can&apos;t be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1, prompt %2: %3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>prompt %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SchemaForm</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advanced (%1)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Advanced settings of %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No setting matches.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n changed</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>Section %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>sample rendered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>saved to %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Watching run %1, which another program trains.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1 has finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1 is %2. Start continues it from its last checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is the recipe of “%1”. Start makes a new run of it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1 was cut off when its program ended. It can go on from its last checkpoint.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) were cut off when their program ended. They can go on from their last checkpoints.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Resume</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in History</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run %1: %2.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A run is going on here, and the Train page shows it. The curves of other runs are below the list.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SetupPage</name>
    <message>
        <source>Form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset as a form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset as text, to read, copy, paste and edit (Ctrl+E)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compare</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset beside the defaults or another one (Ctrl+D)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Search settings (Ctrl+K), or @modified, @advanced</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only changed settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only advanced settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paths and preflight</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search the shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What it does</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Trains LoRA adapters for diffusion models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A preset file, or the name of a built-in preset.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show a recorded run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Render every page to DIR/&lt;page&gt;.png and exit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>system, light or dark, for this start only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language: en, zh_CN or ja, for this start only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draw everything so many times as large.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>mantissa</name>
    <message>
        <source>Plots</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables and grids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mouse wheel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom in steps; with Ctrl, in values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drag, Shift+drag</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move, or zoom into a box</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Double click, Home</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>show the whole run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>+ − ← →</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>zoom and move with the keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Arrow keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move through runs, pictures and samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shift or Ctrl with them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose several</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>F2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>edit a run&apos;s tags or note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open the chosen run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>move the chosen runs to the trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  can&apos;t be used: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  threads: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  compute capability: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  driver: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  memory: %1 free of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  memory: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  instruction sets: %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1: %2, %3 free of %4</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Started</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Adapter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss, mean of the last tenth</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clipped steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Skipped steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tags</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings that differ from their defaults</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Setting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Curve</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loss</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>mantissa::ComboEditor</name>
    <message>
        <source>as above</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a set, or patterns separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a name or a number</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>mantissa::TextEditor</name>
    <message>
        <source>separated by commas</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>schema</name>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>empty</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
